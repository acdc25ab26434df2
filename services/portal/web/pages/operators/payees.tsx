import { inOwnTerms, UNITS_PER_DOLLAR } from '@paper/contracts/units';
import type { MarketHoldersBody } from '@paper/contracts/operator';
import { useRead } from '../../data/api/use-read.ts';
import { Money } from '../../ui/figures.tsx';
import { countText, moneyText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { operatorPath } from './operator-calls.ts';
import { Party } from './transfers.tsx';

const COLUMNS: readonly Column<Payee>[] = [
  { name: 'Account', cell: (payee) => <Party {...payee} /> },
  { name: 'Yes', isFigure: true, cell: ({ yesShares }) => countText(yesShares) },
  { name: 'No', isFigure: true, cell: ({ noShares }) => countText(noShares) },
  { name: 'Is paid', isFigure: true, cell: ({ paid }) => <Money amount={paid} /> },
];

export function Payees({ marketId, yesPrice }: { readonly marketId: string; readonly yesPrice: number | null }) {
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

type Payee = MarketHoldersBody['holders'][number] & { readonly paid: number };

/** The payouts, in dollars, if a YES share pays `yesPrice` and a NO share the rest of a dollar. */
function payoutsOf({ holders, noShares, yesShares }: MarketHoldersBody, yesPrice: number) {
  const yesUnits = Math.round(yesPrice * UNITS_PER_DOLLAR);
  const paidFor = (yes: number, no: number): number =>
    (yes * yesUnits + no * inOwnTerms('no', yesUnits)) / UNITS_PER_DOLLAR;
  return {
    total: paidFor(yesShares, noShares),
    payees: holders
      .map((holder) => ({ ...holder, paid: paidFor(holder.yesShares, holder.noShares) }))
      .sort((a, b) => b.paid - a.paid),
  };
}
