import type { RecentTradeBody } from '@paper/contracts/markets';
import { IS_SERVER } from '../../base/is-server.ts';
import { clockText, countText, OUTCOME_NAMES, priceText } from '../../ui/format.ts';

/** The newest trades, newest first, from the taker's point of view. */
export function RecentTrades({ trades }: { readonly trades: readonly RecentTradeBody[] | null }) {
  return (
    <section class="card trades" aria-labelledby="trades-heading">
      <h2 id="trades-heading">Recent trades</h2>
      {trades?.length === 0 && <p class="quiet">Nothing was traded yet.</p>}
      <div class="trades-rows" role="region" aria-label="Rows of recent trades" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Taker</th>
              <th scope="col" class="figure">
                Shares
              </th>
              <th scope="col" class="figure">
                Price
              </th>
              <th scope="col" class="figure">
                Time
              </th>
            </tr>
          </thead>
          <tbody>
            {trades?.map(({ createdAt, id, outcome, price, quantity, side }) => (
              <tr key={id}>
                <td class={outcome}>
                  {side === 'buy' ? 'Buys' : 'Sells'} {OUTCOME_NAMES[outcome]}
                </td>
                <td class="figure">{countText(quantity)}</td>
                <td class="figure">{priceText(price)}</td>
                <td class="figure">
                  <TimeOfDay at={createdAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** In UTC in the first paint, then in the person's own zone; the whole time is in its title. */
function TimeOfDay({ at }: { readonly at: string }) {
  return (
    <time class="number" dateTime={at} title={at}>
      {IS_SERVER ? at.slice(11, 19) : clockText(at)}
    </time>
  );
}

/** How many trades the page shows. */
export const TRADES_SHOWN = 40;

/** The trades together with newer ones from the stream, without duplicates, newest first. */
export function withTrades(
  read: readonly RecentTradeBody[],
  live: readonly RecentTradeBody[],
): readonly RecentTradeBody[] {
  const known = new Set(live.map(({ id }) => id));
  return [...live, ...read.filter(({ id }) => !known.has(id))].slice(0, TRADES_SHOWN);
}
