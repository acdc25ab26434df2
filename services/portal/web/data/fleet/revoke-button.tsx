import { useState } from 'preact/hooks';
import { portalCall } from '../api/calls.ts';
import { Form } from '../../ui/form.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useProof } from '../session/proof.tsx';
import type { PortalKey } from './keys.ts';

export interface RevokeButtonProps {
  readonly apiKey: PortalKey;
  /** Names the account in the question, such as "Momentum bot". */
  readonly accountName: string;
  readonly onRevoked: () => void;
}

/** Revokes a key after a question, since programs that use it stop at once. */
export function RevokeButton({ apiKey, accountName, onRevoked }: RevokeButtonProps) {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Button label={`Revoke the key ${apiKey.name} of ${accountName}`} onClick={() => setIsAsked(true)}>
        Revoke
      </Button>
      {isAsked && (
        <RevokeDialog
          apiKey={apiKey}
          accountName={accountName}
          onClose={() => setIsAsked(false)}
          onRevoked={() => {
            setIsAsked(false);
            onRevoked();
          }}
        />
      )}
    </>
  );
}

function RevokeDialog(props: RevokeButtonProps & { readonly onClose: () => void }) {
  const { apiKey, accountName, onRevoked, onClose } = props;
  const withProof = useProof();
  const submission = useSubmission({
    fields: [],
    send: async () => {
      await withProof(() => portalCall('DELETE', `/portal/keys/${encodeURIComponent(apiKey.id)}`));
      onRevoked();
    },
  });
  return (
    <Dialog title={`Revoke the key “${apiKey.name}”?`} onClose={onClose}>
      <p>
        The key of {accountName} that ends in <code>{apiKey.last4}</code> stops working at once, for ever.{' '}
        {apiKey.isPortals
          ? 'These pages use it, and make themselves another when they need one.'
          : 'Programs that use it are refused from then on. Open orders stay.'}
      </p>
      <Form
        label="Revoke the key"
        submission={submission}
        action="Revoke it"
        kind="danger"
        more={
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        }
      />
    </Dialog>
  );
}
