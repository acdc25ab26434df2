import type { ClosedAccountBody } from '@paper/contracts/accounts';
import type { ListedAccountBody } from '@paper/contracts/operator';
import { useState } from 'preact/hooks';
import { Form } from '../../ui/form.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { countText } from '../../ui/format.ts';
import { operatorCommand } from './operator-calls.ts';
import { typedIdFault, TypedId } from './typed-id.tsx';

/** A step that ends an account for good. */
interface Ending {
  readonly question: string;
  /** The name of the form. */
  readonly label: string;
  readonly action: string;
  readonly consequences: string;
  /** Carries it out, and gives the sentence to show after it. @throws CallError */
  readonly carryOut: (account: ListedAccountBody) => Promise<string>;
}

const ENDINGS = {
  close: {
    question: 'Close this account?',
    label: 'Close the account',
    action: 'Close it for good',
    consequences:
      'With its sub-accounts it gets no orders and no keys any more: all its keys stop working, and its open orders are ' +
      'cancelled. Its positions stay, and settle with their markets. It is not ranked any more.',
    carryOut: async ({ id, displayName }) => {
      const path = `accounts/${encodeURIComponent(id)}/close`;
      const { cancelledOrders, revokedKeys } = await operatorCommand<ClosedAccountBody>('POST', path);
      const [keys, orders] = [countText(revokedKeys), countText(cancelledOrders)];
      return `${displayName} is closed: ${keys} keys were revoked, ${orders} orders were cancelled.`;
    },
  },
  forget: {
    question: 'Forget the names of this account?',
    label: 'Forget the names',
    action: 'Forget them for good',
    consequences:
      'Its display name, those of its sub-accounts and the names of their keys are deleted. It shows as “Trader” and the ' +
      'end of its id from then on. Whoever signs in with it here can still do so, and delete what is stored about them.',
    carryOut: async ({ id }) => {
      await operatorCommand('POST', `accounts/${encodeURIComponent(id)}/forget`);
      return `The names of ${id} are forgotten.`;
    },
  },
} as const satisfies Readonly<Record<string, Ending>>;

export type AccountEnding = keyof typeof ENDINGS;

export interface EndAccountProps {
  readonly account: ListedAccountBody;
  readonly ending: AccountEnding;
  readonly onClose: () => void;
  /** Called after a success, with what has changed. */
  readonly onDone: (message: string) => void;
}

/** Closes an account, or deletes the names of a closed one, after its id was typed. */
export function EndAccount({ account, ending, onClose, onDone }: EndAccountProps) {
  const { id, displayName } = account;
  const { question, label, action, consequences, carryOut }: Ending = ENDINGS[ending];
  const [typed, setTyped] = useState('');
  const submission = useSubmission({
    fields: ['typed'],
    check: () => typedIdFault(id, typed),
    send: async () => onDone(await carryOut(account)),
  });
  return (
    <Dialog title={question} onClose={onClose}>
      <p>{displayName}</p>
      <p>{consequences}</p>
      <Form
        label={label}
        submission={submission}
        action={action}
        kind="danger"
        more={<Button onClick={onClose}>Cancel</Button>}
      >
        <TypedId of="account" id={id} value={typed} onValue={setTyped} error={submission.errors.typed} />
      </Form>
    </Dialog>
  );
}
