import { useState } from 'preact/hooks';
import { useSession } from '../session/session.tsx';
import { portalCall } from '../api/calls.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Check } from '../../ui/check.tsx';
import { Form, useSubmission } from '../../ui/form.tsx';
import { DownloadButton } from './download-button.tsx';
import { recoveryCodesFile } from './recovery-codes-file.ts';

type RecoveryCodesProps = Readonly<{ codes: readonly string[]; onStored: () => void }>;

/** New recovery codes, shown only once. The person continues after confirming that they stored them. */
export function RecoveryCodes({ codes, onStored }: RecoveryCodesProps) {
  const { info, person, refresh } = useSession();
  const [createdAt] = useState(() => new Date());
  const [isStored, setIsStored] = useState(false);
  const submission = useSubmission({
    send: async () => {
      await portalCall('POST', '/portal/recovery-codes/stored', { code: codes[0] });
      await refresh();
      onStored();
    },
  });
  const file = (): string =>
    recoveryCodesFile({
      publicUrl: info?.publicUrl ?? location.origin,
      signInName: person?.signInName ?? '',
      codes,
      createdAt,
    });
  return (
    <div class="once">
      <p>
        <strong>These codes are shown only now.</strong> Each one lets you in once if you lose your password and your
        passkeys. Store them where only you can read them.
      </p>
      <ol class="codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="actions">
        <CopyButton text={codes.join('\n')} what="recovery codes" />
        <DownloadButton fileName="recovery-codes.txt" text={file}>
          Download
        </DownloadButton>
      </div>
      <Form label="Recovery codes" submission={submission} action="Continue" disabled={!isStored}>
        <Check isOn={isStored} onChange={setIsStored}>
          I have stored these codes
        </Check>
      </Form>
    </div>
  );
}
