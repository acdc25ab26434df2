import type { SubAccountBody } from '@paper/contracts/accounts';
import { Link } from 'wouter-preact';
import { Gain, Money } from '../../ui/figures.tsx';
import { NO_FIGURE } from '../../ui/format.ts';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { roundedToCents } from './live-positions.ts';

interface Amounts {
  readonly name: string;
  /** Amounts are in dollars; null before they were read. */
  readonly cash: number | null;
  readonly portfolioValue: number | null;
  readonly pnl: number | null;
  readonly accountId?: string;
}

const shown = (amount: number | null): number | null => (amount === null ? null : roundedToCents(amount));

const COLUMNS: readonly Column<Amounts>[] = [
  {
    name: 'Account',
    cell: ({ name, accountId }) =>
      accountId === undefined ? name : <Link href={`/portfolio/${accountId}`}>{name}</Link>,
  },
  { name: 'Equity', isFigure: true, cell: ({ portfolioValue }) => <Money amount={shown(portfolioValue)} /> },
  {
    name: 'Total P&L',
    isFigure: true,
    cell: ({ pnl }) => (pnl === null ? NO_FIGURE : <Gain amount={roundedToCents(pnl)} />),
  },
  { name: 'Cash', isFigure: true, cell: ({ cash }) => <Money amount={shown(cash)} /> },
];

export interface FleetTableProps {
  readonly own: Omit<Amounts, 'name'>;
  readonly subAccounts: readonly SubAccountBody[] | undefined;
  /** The number of sub-accounts: a row is reserved for each. */
  readonly count: number;
}

export function FleetTable({ own, subAccounts, count }: FleetTableProps) {
  const unread = { cash: null, portfolioValue: null, pnl: null };
  const accounts: readonly Amounts[] = [
    { ...own, name: 'Main account' },
    ...(subAccounts?.map((account) => ({ ...account, name: account.displayName, accountId: account.id })) ??
      Array.from({ length: count }, (_, index) => ({ ...unread, name: `Sub-account ${index + 1}` }))),
  ];
  const sumOf = (name: keyof typeof unread): number | null =>
    subAccounts === undefined ? null : accounts.reduce((sum, account) => sum + (account[name] ?? 0), 0);
  const all: Amounts = {
    name: `All ${accounts.length} accounts`,
    cash: sumOf('cash'),
    portfolioValue: sumOf('portfolioValue'),
    pnl: sumOf('pnl'),
  };
  return (
    <Table
      caption="Accounts of the fleet"
      columns={COLUMNS}
      rows={[...accounts, all]}
      keyOf={({ accountId, name }) => accountId ?? name}
      isOwn={(row) => row === all}
    />
  );
}
