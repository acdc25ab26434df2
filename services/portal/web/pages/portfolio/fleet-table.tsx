import type { SubAccountBody } from '@paper/contracts/accounts';
import type { PortfolioBody } from '@paper/contracts/portfolio';
import { Link } from 'wouter-preact';
import { useRead } from '../../data/api/use-read.ts';
import { Gain, Money } from '../../ui/figures.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';

/** The list of sub-accounts costs as much as 40 other reads. */
const EVERY_MS = 20_000;

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
  { name: 'Cash', isFigure: true, cell: ({ cash }) => <Money amount={cash} /> },
  { name: 'Portfolio', isFigure: true, cell: ({ portfolioValue }) => <Money amount={portfolioValue} /> },
  { name: 'P&L', isFigure: true, cell: ({ pnl }) => <Gain amount={pnl} /> },
];

/** The main account, each sub-account and their sum. */
export function FleetTable({ fleet }: { readonly fleet: NonNullable<PortfolioBody['fleetSummary']> }) {
  const { data, error } = useRead<{ readonly subAccounts: readonly SubAccountBody[] }>('/portal/sub-accounts', {
    everyMs: EVERY_MS,
  });
  const sum = { ...fleet.total, name: `All ${fleet.accountCount} accounts` };
  const rows: readonly Amounts[] = [
    { ...fleet.master, name: 'Main account' },
    ...(data?.subAccounts ?? []).map((account) => ({ ...account, name: account.displayName, accountId: account.id })),
    sum,
  ];
  return (
    <>
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      <Table
        caption="Accounts of the fleet"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ accountId, name }) => accountId ?? name}
        isOwn={(row) => row === sum}
      />
    </>
  );
}
