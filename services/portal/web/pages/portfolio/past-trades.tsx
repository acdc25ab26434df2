import type { FillBody } from '@paper/contracts/orders';
import type { PortfolioBody } from '@paper/contracts/portfolio';
import { useRead } from '../../data/api/use-read.ts';
import { Gain, Money, Price, Time } from '../../ui/figures.tsx';
import { countText, DEALS, OUTCOME_NAMES } from '../../ui/format.ts';
import { ReadNotice } from '../../ui/read-notice.tsx';
import { HoldingRow, HoldingTable } from './holding-table.tsx';

const TRADE_FIGURES = ['Shares', 'Price', 'Amount', 'Time'];
const SETTLED_FIGURES = ['Shares', 'Payout', 'P&L', 'Settled'];

/** The newest fills of an account. Each `version` is read. */
export function Trades({ path, version }: { readonly path: string; readonly version: number }) {
  const { data, error } = useRead<readonly FillBody[]>(path, { version });
  if (data === null) return <ReadNotice data={data} error={error} />;
  if (data.length === 0) return <p class="quiet">Nothing was traded yet.</p>;
  return (
    <HoldingTable
      label="Trades"
      figures={TRADE_FIGURES}
      count={data.length}
      row={(index) => {
        const trade = data[index];
        if (trade === undefined) return null;
        const { createdAt, id, market, marketId, notional, orderId, outcome, price, quantity, side } = trade;
        const contents = [
          countText(quantity),
          <Price value={price} />,
          <Money amount={notional} />,
          <Time at={createdAt} />,
        ];
        return (
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
            figures={TRADE_FIGURES}
            contents={contents}
          />
        );
      }}
    />
  );
}

/** The newest settled positions of an account. */
export function Settled({ settled }: Pick<PortfolioBody, 'settled'>) {
  return (
    <HoldingTable
      label="Settled positions"
      figures={SETTLED_FIGURES}
      count={settled.length}
      row={(index) => {
        const position = settled[index];
        if (position === undefined) return null;
        const { id, market, marketId, outcome, payout, pnl, settledAt, shares } = position;
        const result = market.resolvedOutcome === null ? 'void' : `settled ${OUTCOME_NAMES[market.resolvedOutcome]}`;
        const contents = [countText(shares), <Money amount={payout} />, <Gain amount={pnl} />, <Time at={settledAt} />];
        return (
          <HoldingRow
            key={`${id} ${outcome}`}
            index={index}
            marketId={marketId}
            title={market.title}
            facts={`Held ${OUTCOME_NAMES[outcome]} · ${result}`}
            figures={SETTLED_FIGURES}
            contents={contents}
          />
        );
      }}
    />
  );
}
