import type { MarketHoldersBody } from '@paper/contracts/operator';
import { useRead } from '../../data/api/use-read.ts';
import { Money } from '../../ui/figures.tsx';
import { countText, moneyText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { operatorPath } from './operator-calls.ts';
import { payoutsOf } from './payouts.ts';
import type { Payee } from './payouts.ts';
import { Party } from './transfers.tsx';

const COLUMNS: readonly Column<Payee>[] = [
  { name: 'Account', cell: (payee) => <Party {...payee} /> },
  { name: 'Yes', isFigure: true, cell: ({ yesShares }) => countText(yesShares) },
  { name: 'No', isFigure: true, cell: ({ noShares }) => countText(noShares) },
  { name: 'Is paid', isFigure: true, cell: ({ paid }) => <Money amount={paid} /> },
];

export interface PayeesProps {
  readonly marketId: string;
  /** The payout of a YES share; null before the operator has typed it. */
  readonly yesPrice: number | null;
}

/** The payees and their amounts, if the market ends at this price. */
export function Payees({ marketId, yesPrice }: PayeesProps) {
  const path = operatorPath(`markets/${encodeURIComponent(marketId)}/holders?limit=100`);
  const { data, error } = useRead<MarketHoldersBody>(path);
  if (error !== null) return <Notice kind="error">{error.message}</Notice>;
  if (data === null) return <p class="quiet">Reading who holds shares …</p>;
  if (yesPrice === null) {
    return (
      <p>
        {countText(data.accounts)} accounts hold shares. Say first how the market ends to see what each of them is paid.
      </p>
    );
  }
  const { total, payees } = payoutsOf(data, yesPrice);
  const hidden = data.accounts - data.holders.length;
  return (
    <>
      <p aria-live="polite">
        <strong>{moneyText(total)}</strong> is paid for {countText(data.yesShares)} Yes and {countText(data.noShares)}{' '}
        No shares of {countText(data.accounts)} accounts.
        {hidden > 0 && ` The table has the ${data.holders.length} with the most shares.`}
      </p>
      {payees.length > 0 && (
        <Table caption="Who is paid" columns={COLUMNS} rows={payees} keyOf={({ accountId }) => accountId} />
      )}
    </>
  );
}
