import type { ClosedAccountBody } from '@paper/contracts';
import { useState } from 'preact/hooks';
import { Form } from '../../forms/form.tsx';
import { useSubmission } from '../../forms/use-submission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { countText } from '../../ui/format.ts';
import type { AccountDialogProps } from './account-dialog.ts';
import { operatorCommand } from './operator-calls.ts';
import { faultOfTypedId, TypedId } from './typed-id.tsx';

/** Closes an account with its sub-accounts, after its id was typed. */
export function CloseAccount({ account, onClose, onDone }: AccountDialogProps) {
  const { id, displayName } = account;
  const [typed, setTyped] = useState('');
  const submission = useSubmission({
    fields: ['typed'],
    check: () => faultOfTypedId(id, typed),
    send: async () => {
      const { cancelledOrders, revokedKeys } = await operatorCommand<ClosedAccountBody>(
        'POST',
        `accounts/${encodeURIComponent(id)}/close`,
      );
      onDone(
        `${displayName} is closed: ${countText(revokedKeys)} keys were revoked, ${countText(cancelledOrders)} orders were cancelled.`,
      );
    },
  });
  return (
    <Dialog title="Close this account?" onClose={onClose}>
      <p>{displayName}</p>
      <p>
        With its sub-accounts it gets no orders and no keys any more: all its keys stop working, and its open orders are
        cancelled. Its positions stay, and settle with their markets. It is not ranked any more.
      </p>
      <Form
        label="Close the account"
        submission={submission}
        action="Close it for good"
        kind="danger"
        more={<Button onClick={onClose}>Cancel</Button>}
      >
        <TypedId of="account" id={id} value={typed} onValue={setTyped} error={submission.errors.typed} />
      </Form>
    </Dialog>
  );
}
