import type { ClosedAccountBody } from '@paper/contracts/accounts';
import type { ListedAccountBody } from '@paper/contracts/operator';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/field.tsx';
import { Money, Time } from '../../ui/figures.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { operatorCommand, operatorPath } from './operator-calls.ts';
import { Party } from './transfers.tsx';
import { useOperatorList } from './use-operator-list.tsx';
import { countText } from '../../ui/format.ts';
import type { Command } from './command-dialog.tsx';

const SHOWN = [
  { value: 'awaiting', text: 'Await approval' },
  { value: 'all', text: 'All' },
] as const;
type Shown = (typeof SHOWN)[number]['value'];

const READS: Readonly<Record<Shown, `/portal/${string}`>> = {
  awaiting: operatorPath('accounts?approved=false&limit=50'),
  all: operatorPath('accounts?limit=50'),
};

type Action = keyof typeof ACCOUNT_COMMANDS | 'approve';
const WORDS: Readonly<Record<Action, string>> = { approve: 'Approve', close: 'Close', forget: 'Forget names' };

export function Accounts() {
  const [shown, setShown] = useState<Shown>('awaiting');
  const list = useOperatorList<ListedAccountBody>(READS[shown]);
  const act = (action: Action, account: ListedAccountBody): void => {
    const { id, displayName } = account;
    if (action !== 'approve') {
      list.ask(ACCOUNT_COMMANDS[action](account));
      return;
    }
    list.run(account, async () => {
      await operatorCommand('POST', `accounts/${encodeURIComponent(id)}/approve`);
      return `${displayName} may trade now.`;
    });
  };
  return (
    <Section title="Accounts">
      <div class="filter">
        <Choice label="Accounts to show" value={shown} options={SHOWN} onValue={setShown} />
      </div>
      <Table
        caption={shown === 'awaiting' ? 'Accounts to approve' : 'All accounts'}
        columns={columnsOf(list.busy, act)}
        rows={list.data}
        keyOf={({ id }) => id}
        empty={shown === 'awaiting' ? 'No account awaits approval.' : 'There is no account.'}
      />
      {list.rest}
    </Section>
  );
}

function columnsOf(
  approving: string | null,
  onAction: (action: Action, account: ListedAccountBody) => void,
): readonly Column<ListedAccountBody>[] {
  return [
    { name: 'Account', cell: ({ id, displayName }) => <Party accountId={id} displayName={displayName} /> },
    { name: 'Opened', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { name: 'Starting balance', isFigure: true, cell: ({ startingBalance }) => <Money amount={startingBalance} /> },
    { name: 'State', cell: stateOf },
    {
      name: 'Actions',
      cell: (account) => (
        <div class="actions">
          {actionsOf(account).map((action) => (
            <Button
              key={action}
              kind={action === 'approve' ? 'plain' : 'danger'}
              label={`${WORDS[action]}${action === 'forget' ? ' of' : ''} ${account.displayName}`}
              isBusy={action === 'approve' && approving === account.id}
              onClick={() => onAction(action, account)}
            >
              {WORDS[action]}
            </Button>
          ))}
        </div>
      ),
    },
  ];
}

function stateOf({ approved, closed }: ListedAccountBody): string {
  if (closed) return 'closed';
  return approved ? 'open' : 'awaits approval';
}

/** The possible actions. Names of a closed account can be forgotten once; it is then shown as `Trader …`. */
function actionsOf({ id, displayName, approved, closed }: ListedAccountBody): readonly Action[] {
  if (closed) return displayName === `Trader ${id.slice(-6)}` ? [] : ['forget'];
  return approved ? ['close'] : ['approve', 'close'];
}

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
  action: 'Close it for good',
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
  action: 'Forget them for good',
  send: async () => {
    await operatorCommand('POST', pathOf(account, 'forget'));
    return `The names of ${account.id} are forgotten.`;
  },
});

const ACCOUNT_COMMANDS = { close: closing, forget: forgetting };
