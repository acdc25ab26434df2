import type { ClosedAccountBody } from '@paper/contracts/accounts';
import type { ListedAccountBody } from '@paper/contracts/operator';
import { countText } from '../../ui/format.ts';
import { CommandDialog } from './command-dialog.tsx';
import type { Command, CommandDialogProps } from './command-dialog.tsx';
import { operatorCommand } from './operator-calls.ts';

/** A step that ends an account for good. */
interface Ending {
  readonly question: string;
  readonly action: string;
  readonly consequences: string;
  /** Carries it out, and gives the sentence to show after it. @throws CallError */
  readonly carryOut: (account: ListedAccountBody) => Promise<string>;
}

const ENDINGS = {
  close: {
    question: 'Close this account?',
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

export interface EndAccountProps extends CommandDialogProps {
  readonly account: ListedAccountBody;
  readonly ending: AccountEnding;
}

/** Closes an account, or deletes the names of a closed one, after its id was typed. */
export function EndAccount({ account, ending, ...props }: EndAccountProps) {
  const { question, action, consequences, carryOut }: Ending = ENDINGS[ending];
  const command: Command<never> = {
    title: question,
    action: () => action,
    kind: 'danger',
    about: (
      <>
        <p>{account.displayName}</p>
        <p>{consequences}</p>
      </>
    ),
    inputs: {},
    typed: { of: 'account', id: account.id },
    send: () => carryOut(account),
  };
  return <CommandDialog command={command} {...props} />;
}
