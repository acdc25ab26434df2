import { useState } from 'preact/hooks';
import { Form } from '../../forms/form.tsx';
import { useSubmission } from '../../forms/use-submission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { AccountDialogProps } from './account-dialog.ts';
import { operatorCommand } from './operator-calls.ts';
import { faultOfTypedId, TypedId } from './typed-id.tsx';

/** Forgets the names of a closed account and of its sub-accounts, after its id was typed. */
export function ForgetAccount({ account, onClose, onDone }: AccountDialogProps) {
  const { id, displayName } = account;
  const [typed, setTyped] = useState('');
  const submission = useSubmission({
    fields: ['typed'],
    check: () => faultOfTypedId(id, typed),
    send: async () => {
      await operatorCommand('POST', `accounts/${encodeURIComponent(id)}/forget`);
      onDone(`The names of ${id} are forgotten.`);
    },
  });
  return (
    <Dialog title="Forget the names of this account?" onClose={onClose}>
      <p>{displayName}</p>
      <p>
        Its display name, those of its sub-accounts and the names of their keys are deleted. It shows as “Trader” and
        the end of its id from then on. Whoever signs in with it here can still do so, and delete what is stored about
        them.
      </p>
      <Form
        label="Forget the names"
        submission={submission}
        action="Forget them for good"
        kind="danger"
        more={<Button onClick={onClose}>Cancel</Button>}
      >
        <TypedId of="account" id={id} value={typed} onValue={setTyped} error={submission.errors.typed} />
      </Form>
    </Dialog>
  );
}
