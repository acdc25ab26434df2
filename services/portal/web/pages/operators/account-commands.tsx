import type { ClosedAccountBody } from '@paper/contracts/accounts';
import type { ListedAccountBody } from '@paper/contracts/operator';
import { countText } from '../../ui/format.ts';
import type { Command } from './command-dialog.tsx';
import { operatorCommand } from './operator-calls.ts';

const pathOf = ({ id }: ListedAccountBody, action: string): string => `accounts/${encodeURIComponent(id)}/${action}`;

const ending = (account: ListedAccountBody, consequences: string) => ({
  kind: 'danger' as const,
  about: (
    <>
      <p>{account.displayName}</p>
      <p>{consequences}</p>
    </>
  ),
  inputs: {},
  typed: { of: 'account' as const, id: account.id },
});

const closing = (account: ListedAccountBody): Command<never> => ({
  ...ending(
    account,
    'With its sub-accounts it gets no orders and no keys any more: all its keys stop working, and its open orders are ' +
      'cancelled. Its positions stay, and settle with their markets. It is not ranked any more.',
  ),
  title: 'Close this account?',
  action: () => 'Close it for good',
  send: async () => {
    const { cancelledOrders, revokedKeys } = await operatorCommand<ClosedAccountBody>('POST', pathOf(account, 'close'));
    const [keys, orders] = [countText(revokedKeys), countText(cancelledOrders)];
    return `${account.displayName} is closed: ${keys} keys were revoked, ${orders} orders were cancelled.`;
  },
});

const forgetting = (account: ListedAccountBody): Command<never> => ({
  ...ending(
    account,
    'Its display name, those of its sub-accounts and the names of their keys are deleted. It shows as “Trader” and the ' +
      'end of its id from then on. Whoever signs in with it here can still do so, and delete what is stored about them.',
  ),
  title: 'Forget the names of this account?',
  action: () => 'Forget them for good',
  send: async () => {
    await operatorCommand('POST', pathOf(account, 'forget'));
    return `The names of ${account.id} are forgotten.`;
  },
});

export const ACCOUNT_COMMANDS = { close: closing, forget: forgetting };
