import type { PortfolioBody } from '@paper/contracts/portfolio';
import { Gain, Money, Price, Time } from '../../ui/figures.tsx';
import { countText, OUTCOME_NAMES } from '../../ui/format.ts';
import { HoldingRow, HoldingTable } from './holding-table.tsx';

const TRADE_FIGURES = ['Shares', 'Price', 'Amount', 'Time'];
const SETTLED_FIGURES = ['Shares', 'Payout', 'P&L', 'Settled'];

/** The newest fills of an account. */
export function Trades({ trades }: Pick<PortfolioBody, 'trades'>) {
  if (trades.length === 0) return <p class="quiet">Nothing was traded yet.</p>;
  return (
    <HoldingTable
      label="Trades"
      figures={TRADE_FIGURES}
      count={trades.length}
      row={(index) => {
        const trade = trades[index];
        if (trade === undefined) return null;
        const { createdAt, id, market, marketId, notional, outcome, price, quantity } = trade;
        const contents = [
          countText(quantity),
          <Price value={price} />,
          <Money amount={notional} />,
          <Time at={createdAt} />,
        ];
        return (
          <HoldingRow
            key={`${id} ${index}`}
            index={index}
            marketId={marketId}
            title={market.title}
            facts={`${OUTCOME_NAMES[outcome]} · ${market.ticker}`}
            figures={TRADE_FIGURES.map((name, at) => ({ name, content: contents[at] }))}
          />
        );
      }}
    />
  );
}

/** The newest settled positions of an account. */
export function Settled({ settled }: Pick<PortfolioBody, 'settled'>) {
  if (settled.length === 0) return <p class="quiet">No position was settled yet.</p>;
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
            figures={SETTLED_FIGURES.map((name, at) => ({ name, content: contents[at] }))}
          />
        );
      }}
    />
  );
}
