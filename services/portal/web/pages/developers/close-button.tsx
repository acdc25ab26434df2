import { portalCall } from '../../data/api/calls.ts';
import { useProof } from '../../data/session/proof.tsx';
import { ConfirmButton } from '../../ui/confirm-dialog.tsx';

export interface CloseButtonProps {
  readonly account: { readonly id: string; readonly displayName: string };
  readonly onClosed: () => void;
}

/** Closes a sub-account after a question, since its keys and orders end for ever. */
export function CloseButton({ account: { id, displayName: name }, onClosed }: CloseButtonProps) {
  const withProof = useProof();
  return (
    <ConfirmButton
      text="Close"
      label={`Close ${name}`}
      title={`Close ${name}?`}
      action="Close it for ever"
      send={async () => {
        await withProof(() => portalCall('DELETE', `/portal/sub-accounts/${encodeURIComponent(id)}`));
        onClosed();
      }}
    >
      <p>
        All keys of {name} stop working and its open orders are cancelled, for ever. Its shares stay, and settle with
        their markets. It still counts among your sub-accounts.
      </p>
    </ConfirmButton>
  );
}
