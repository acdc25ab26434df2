import type { PortfolioBody, SubAccountBody } from '@paper/contracts';
import { Link } from 'wouter-preact';
import { useRead } from '../../data/api/use-read.ts';
import { Gain, Money } from '../../ui/figures.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Cell, Table } from '../../ui/table.tsx';

/** The list of sub-accounts costs as much as 40 other reads. */
const EVERY_MS = 20_000;

const COLUMNS = [
  { name: 'Account' },
  { name: 'Cash', isFigure: true },
  { name: 'Portfolio', isFigure: true },
  { name: 'P&L', isFigure: true },
] as const;

type Amounts = Pick<SubAccountBody, 'cash' | 'portfolioValue' | 'pnl'>;

/** The main account, each sub-account and their sum. */
export function FleetTable({ fleet }: { readonly fleet: NonNullable<PortfolioBody['fleetSummary']> }) {
  const { data, error } = useRead<{ readonly subAccounts: readonly SubAccountBody[] }>('/portal/sub-accounts', {
    everyMs: EVERY_MS,
  });
  return (
    <>
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      <Table caption="Accounts of the fleet" columns={COLUMNS}>
        <AmountsRow name="Main account" amounts={fleet.master} />
        {data?.subAccounts.map((account) => (
          <AmountsRow key={account.id} name={account.displayName} accountId={account.id} amounts={account} />
        ))}
        <AmountsRow name={`All ${fleet.accountCount} accounts`} amounts={fleet.total} isSum />
      </Table>
    </>
  );
}

interface AmountsRowProps {
  readonly name: string;
  /** Of a sub-account, which has a page of its own. */
  readonly accountId?: string;
  readonly amounts: Amounts;
  readonly isSum?: boolean;
}

function AmountsRow({ name, accountId, amounts, isSum }: AmountsRowProps) {
  return (
    <tr class={isSum === true ? 'own' : undefined}>
      <Cell>{accountId === undefined ? name : <Link href={`/portfolio/${accountId}`}>{name}</Link>}</Cell>
      <Cell isFigure>
        <Money amount={amounts.cash} />
      </Cell>
      <Cell isFigure>
        <Money amount={amounts.portfolioValue} />
      </Cell>
      <Cell isFigure>
        <Gain amount={amounts.pnl} />
      </Cell>
    </tr>
  );
}
