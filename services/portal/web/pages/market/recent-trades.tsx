import type { RecentTradeBody } from '@paper/contracts/markets';
import { clockText, countText, DEALS, OUTCOME_NAMES, priceText, timeText, zoneText } from '../../ui/format.ts';
import { ownPrice } from './cost-of.ts';

type RecentTradesProps = Readonly<{ trades: readonly RecentTradeBody[]; outcome: 'yes' | 'no' }>;

/** The newest trades, in terms of `outcome`, that of the order book. */
export function RecentTrades({ trades, outcome: shown }: RecentTradesProps) {
  return (
    <section class="card trades" aria-labelledby="trades-heading">
      <h2 id="trades-heading">Recent trades</h2>
      {trades.length === 0 && <p class="quiet">Nothing was traded yet.</p>}
      <div class="trades-rows" role="region" aria-label="Rows of recent trades" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{OUTCOME_NAMES[shown]}</th>
              {['Shares', 'Price', trades[0] === undefined ? 'Time' : zoneText(trades[0].createdAt)].map((name) => (
                <th key={name} scope="col" class="figure">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {trades.map(({ createdAt, id, outcome, quantity, side, yesPrice }) => {
              // In terms of YES, selling NO is buying.
              const isBuy = (side === 'buy') === (outcome === shown);
              return (
                <tr key={id} class={isBuy ? 'bid' : 'ask'}>
                  <td>{DEALS[isBuy ? 'buy' : 'sell']}</td>
                  <td class="figure shares">{countText(quantity)}</td>
                  <td class="figure">{priceText(ownPrice(shown, yesPrice))}</td>
                  <td class="figure">
                    <time class="number" dateTime={createdAt} title={timeText(createdAt, true)}>
                      {clockText(createdAt)}
                    </time>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const TRADES_SHOWN = 40;

/** Joins the trades that were read with the newer trades of the stream, newest first. */
export function joinTrades(read: readonly RecentTradeBody[], live: readonly RecentTradeBody[]) {
  const known = new Set(live.map(({ id }) => id));
  return [...live, ...read.filter(({ id }) => !known.has(id))].slice(0, TRADES_SHOWN);
}
