import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { portalCall } from '../../data/api/calls.ts';
import { useSession } from '../../data/session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldsForm } from '../../ui/fields-form.tsx';
import { useProof } from '../../data/session/proof.tsx';
import { Section } from '../../ui/section.tsx';

export function DeleteAccount({ signInName }: { readonly signInName: string }) {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <Section title="Delete my account">
      <p>
        Your account and sub-accounts close, their keys stop working, and your names, sign-in name, passkeys and e-mail
        address are deleted. What you traded stays in the public record under a random id. This cannot be undone.
      </p>
      <p>
        Names that a version before this one wrote into the public record stay there, as do backups until they expire.
      </p>
      <div class="actions">
        <Button kind="danger" onClick={() => setIsAsked(true)}>
          Delete my account …
        </Button>
      </div>
      {isAsked && <DeleteDialog signInName={signInName} onClose={() => setIsAsked(false)} />}
    </Section>
  );
}

function DeleteDialog({ signInName, onClose }: { readonly signInName: string; readonly onClose: () => void }) {
  const { signOut } = useSession();
  const [, navigate] = useLocation();
  const withProof = useProof();
  return (
    <Dialog title="Delete your account for ever?" onClose={onClose}>
      <FieldsForm
        label="Delete my account"
        action="Delete it for ever"
        kind="danger"
        onCancel={onClose}
        fields={{
          typed: {
            label: `Your sign-in name (${signInName})`,
            autocomplete: 'off',
            autocapitalize: 'none',
            spellcheck: false,
          },
        }}
        check={({ typed }) =>
          typed.trim().toLowerCase() === signInName.toLowerCase()
            ? {}
            : { typed: `Type ${signInName} to delete the account.` }
        }
        send={async () => {
          await signOut(() => withProof(() => portalCall('DELETE', '/portal/me')));
          navigate('/sign-in?deleted=1');
        }}
      />
    </Dialog>
  );
}
