import type { SubAccountBody } from '@paper/contracts/accounts';
import { Link } from 'wouter-preact';
import { Gain, Money } from '../../ui/figures.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { rounded } from './live-positions.ts';

/** An account, or the sum of all. */
interface Amounts extends Pick<SubAccountBody, 'cash' | 'portfolioValue' | 'pnl'> {
  readonly name: string;
  /** The id of a sub-account, which has a page of its own; absent for the main account. */
  readonly accountId?: string;
}

const COLUMNS: readonly Column<Amounts>[] = [
  {
    name: 'Account',
    cell: ({ name, accountId }) =>
      accountId === undefined ? name : <Link href={`/portfolio/${accountId}`}>{name}</Link>,
  },
  { name: 'Equity', isFigure: true, cell: ({ portfolioValue }) => <Money amount={rounded(portfolioValue)} /> },
  { name: 'Total P&L', isFigure: true, cell: ({ pnl }) => <Gain amount={rounded(pnl)} /> },
  { name: 'Cash', isFigure: true, cell: ({ cash }) => <Money amount={rounded(cash)} /> },
];

export interface FleetTableProps {
  /** The main account, as the page shows it above. */
  readonly own: Omit<Amounts, 'name'>;
  readonly subAccounts: readonly SubAccountBody[];
}

/** The main account, each sub-account and their sum. */
export function FleetTable({ own, subAccounts }: FleetTableProps) {
  const accounts: readonly Amounts[] = [
    { ...own, name: 'Main account' },
    ...subAccounts.map((account) => ({ ...account, name: account.displayName, accountId: account.id })),
  ];
  const sumOf = (name: 'cash' | 'portfolioValue' | 'pnl'): number =>
    accounts.reduce((sum, account) => sum + account[name], 0);
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
