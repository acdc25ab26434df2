import type { FillBody } from '@paper/contracts/orders';
import type { PortfolioBody } from '@paper/contracts/portfolio';
import { useRead } from '../../data/api/use-read.ts';
import { Gain, Money, Price, Time } from '../../ui/figures.tsx';
import { countText, DEALS, OUTCOME_NAMES } from '../../ui/format.ts';
import { ReadNotice } from '../../ui/notice.tsx';
import { HoldingRow, HoldingTable } from './holding-table.tsx';

/** The newest fills of an account, which are read again for each `version`. */
export function Trades({ path, version }: { readonly path: string; readonly version: number }) {
  const { data, error } = useRead<readonly FillBody[]>(path, { version });
  if (data === null) return <ReadNotice data={data} error={error} />;
  if (data.length === 0) return <p class="quiet">Nothing was traded yet.</p>;
  return (
    <HoldingTable
      label="Trades"
      figures={['Shares', 'Price', 'Amount', 'Time']}
      rows={data}
      row={({ createdAt, id, market, marketId, notional, orderId, outcome, price, quantity, side }, index) => (
        <HoldingRow
          key={`${id} ${orderId}`}
          index={index}
          marketId={marketId}
          title={market.title}
          facts={
            <>
              <span class={side === 'buy' ? 'gain' : 'loss'}>{DEALS[side]}</span> {OUTCOME_NAMES[outcome]} ·{' '}
              {market.ticker}
            </>
          }
          figures={{
            Shares: countText(quantity),
            Price: <Price value={price} />,
            Amount: <Money amount={notional} />,
            Time: <Time at={createdAt} />,
          }}
        />
      )}
    />
  );
}

export function Settled({ settled }: Pick<PortfolioBody, 'settled'>) {
  return (
    <HoldingTable
      label="Settled positions"
      figures={['Shares', 'Payout', 'P&L', 'Settled']}
      rows={settled}
      row={({ id, market, marketId, outcome, payout, pnl, settledAt, shares }, index) => {
        const result = market.resolvedOutcome === null ? 'void' : `settled ${OUTCOME_NAMES[market.resolvedOutcome]}`;
        return (
          <HoldingRow
            key={`${id} ${outcome}`}
            index={index}
            marketId={marketId}
            title={market.title}
            facts={`Held ${OUTCOME_NAMES[outcome]} · ${result}`}
            figures={{
              Shares: countText(shares),
              Payout: <Money amount={payout} />,
              'P&L': <Gain amount={pnl} />,
              Settled: <Time at={settledAt} />,
            }}
          />
        );
      }}
    />
  );
}
