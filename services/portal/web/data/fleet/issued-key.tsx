import type { IssuedApiKeyBody } from '@paper/contracts/accounts';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

/** A new key, shown only once. It gets the focus, so that nobody overlooks it. */
export function IssuedKey({ apiKey, onStored }: { readonly apiKey: IssuedApiKeyBody; readonly onStored: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const { name, rawKey } = apiKey;
  return (
    <div class="once" ref={box} tabIndex={-1} role="group" aria-label={`The new key ${name}`}>
      {rawKey === undefined ? (
        <p>The key “{name}” was made, but its text was lost on the way. Revoke it and make another.</p>
      ) : (
        <>
          <p>
            <strong>The key “{name}” is shown only now.</strong> Whoever has it can do what its permissions allow. Store
            it as you would a password.
          </p>
          <p class="raw-key">
            <code>{rawKey}</code>
          </p>
        </>
      )}
      <div class="actions">
        {rawKey !== undefined && <CopyButton text={rawKey} what="key" />}
        <Button onClick={onStored}>I have stored it</Button>
      </div>
    </div>
  );
}
