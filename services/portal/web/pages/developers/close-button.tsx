import { useState } from 'preact/hooks';
import { portalCall } from '../../data/api/calls.ts';
import { useProof } from '../../data/session/proof.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

export interface CloseButtonProps {
  readonly account: { readonly id: string; readonly displayName: string };
  readonly onClosed: () => void;
}

/** Closes a sub-account after a question, since its keys and orders end for ever. */
export function CloseButton({ account: { id, displayName: name }, onClosed }: CloseButtonProps) {
  const [isAsked, setIsAsked] = useState(false);
  const withProof = useProof();
  return (
    <>
      <Button label={`Close ${name}`} onClick={() => setIsAsked(true)}>
        Close
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={`Close ${name}?`}
          action="Close it for ever"
          send={async () => {
            await withProof(() => portalCall('DELETE', `/portal/sub-accounts/${encodeURIComponent(id)}`));
            setIsAsked(false);
            onClosed();
          }}
          onClose={() => setIsAsked(false)}
        >
          <p>
            All keys of {name} stop working and its open orders are cancelled, for ever. Its shares stay, and settle
            with their markets. It still counts among your sub-accounts.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
