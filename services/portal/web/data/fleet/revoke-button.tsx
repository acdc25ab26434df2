import { useState } from 'preact/hooks';
import { portalCall } from '../api/calls.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useProof } from '../session/proof.tsx';
import type { PortalKey } from './key-list.tsx';

type RevokeButtonProps = Readonly<{ apiKey: PortalKey; accountName: string; onRevoked: () => void }>;

/** Revokes a key after a question, since programs that use it stop at once. */
export function RevokeButton({ apiKey, accountName, onRevoked }: RevokeButtonProps) {
  const [isAsked, setIsAsked] = useState(false);
  const withProof = useProof();
  return (
    <>
      <Button label={`Revoke the key ${apiKey.name} of ${accountName}`} onClick={() => setIsAsked(true)}>
        Revoke
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={`Revoke the key “${apiKey.name}”?`}
          action="Revoke it"
          send={async () => {
            await withProof(() => portalCall('DELETE', `/portal/keys/${encodeURIComponent(apiKey.id)}`));
            setIsAsked(false);
            onRevoked();
          }}
          onClose={() => setIsAsked(false)}
        >
          <p>
            The key of {accountName} that ends in <code>{apiKey.last4}</code> stops working at once, for ever.{' '}
            {apiKey.isPortals
              ? 'These pages use it, and make themselves another when they need one.'
              : 'Programs that use it are refused from then on. Open orders stay.'}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
