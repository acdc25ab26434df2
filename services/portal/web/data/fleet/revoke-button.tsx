import { portalCall } from '../api/calls.ts';
import { ConfirmButton } from '../../ui/confirm-dialog.tsx';
import { useProof } from '../session/proof.tsx';
import type { PortalKey } from './keys.ts';

export interface RevokeButtonProps {
  readonly apiKey: PortalKey;
  /** Names the account in the question, such as "Momentum bot". */
  readonly accountName: string;
  readonly onRevoked: () => void;
}

/** Revokes a key after a question, since programs that use it stop at once. */
export function RevokeButton({ apiKey: { id, isPortals, last4, name }, accountName, onRevoked }: RevokeButtonProps) {
  const withProof = useProof();
  return (
    <ConfirmButton
      text="Revoke"
      label={`Revoke the key ${name} of ${accountName}`}
      title={`Revoke the key “${name}”?`}
      action="Revoke it"
      send={async () => {
        await withProof(() => portalCall('DELETE', `/portal/keys/${encodeURIComponent(id)}`));
        onRevoked();
      }}
    >
      <p>
        The key of {accountName} that ends in <code>{last4}</code> stops working at once, for ever.{' '}
        {isPortals
          ? 'These pages use it, and make themselves another when they need one.'
          : 'Programs that use it are refused from then on. Open orders stay.'}
      </p>
    </ConfirmButton>
  );
}
