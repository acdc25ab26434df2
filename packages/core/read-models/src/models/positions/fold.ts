import type { Outcome } from '@paper/exchange/vocabulary';
import type { ModelRows } from '../../engine/model.ts';
import type { Plan } from '../../engine/plan.ts';
import type { Writable } from '../../engine/table.ts';
import type { Accounts } from '../accounts/fold.ts';
import type { MarketFold } from '../markets/market-fold.ts';
import { model } from '../model.ts';
import { Holdings } from './holdings.ts';
import type { PositionSums } from './holdings.ts';
import { POSITIONS } from './table.ts';
import type { PositionRow } from './table.ts';

interface PositionChange extends Writable<PositionRow> {
  /** The position before the batch; null if there was none, or if it is unknown. */
  readonly before: PositionSums | null;
}

export class Positions implements ModelRows {
  /** The positions before the batch, summed from the first event on; null if they are unknown. */
  #holdings: Holdings | null;
  /** The changes, by market and then by account. */
  readonly #changes = new Map<MarketFold, Map<string, PositionChange>>();

  /** @param max the most positions that are kept in memory; 0: none */
  constructor(
    private readonly accounts: Accounts,
    private readonly max: number,
  ) {
    this.#holdings = max > 0 ? new Holdings() : null;
  }

  /** The positions before the batch; null if they are unknown. The accounts' cash is known exactly when they are. */
  get holdings(): Holdings | null {
    return this.#holdings;
  }

  /** Changes a position. Returns the sum of the batch's changes; `movedPosition(before, …)` is the position. */
  move(market: MarketFold, accountId: string, outcome: Outcome, shares: number, costUnits: number): PositionChange {
    const change = this.#change(market, accountId);
    if (outcome === 'yes') {
      change.yes_shares += shares;
      change.yes_cost_units += costUnits;
    } else {
      change.no_shares += shares;
      change.no_cost_units += costUnits;
    }
    return change;
  }

  planChanged(plan: Plan): void {
    const changes = [...this.#changes.values()].flatMap((ofMarket) => [...ofMarket.values()]);
    const isNew = ({ before }: PositionChange): boolean => this.#holdings !== null && before === null;
    // A position without shares has no row. COPY writes the positions that are known to be new.
    plan.insert(
      POSITIONS,
      changes.filter((change) => isNew(change) && (change.yes_shares !== 0 || change.no_shares !== 0)),
    );
    plan.merge(
      POSITIONS,
      changes.filter((change) => !isNew(change)),
      `when matched and t.yes_shares + r.yes_shares = 0 and t.no_shares + r.no_shares = 0
         and t.yes_cost_units + r.yes_cost_units = 0 and t.no_cost_units + r.no_cost_units = 0 then delete
       when matched then update set yes_shares = t.yes_shares + r.yes_shares, no_shares = t.no_shares + r.no_shares,
         yes_cost_units = t.yes_cost_units + r.yes_cost_units, no_cost_units = t.no_cost_units + r.no_cost_units
       when not matched and (r.yes_shares <> 0 or r.no_shares <> 0) then
         insert (account_id, market_id, yes_shares, no_shares, yes_cost_units, no_cost_units)
         values (r.account_id, r.market_id, r.yes_shares, r.no_shares, r.yes_cost_units, r.no_cost_units)`,
    );
    this.#changes.clear();
    if (this.#holdings === null) return;
    this.#holdings.add(changes);
    if (this.#holdings.size <= this.max) return;
    this.#holdings = null;
    this.accounts.dropBalances();
  }

  #change(market: MarketFold, accountId: string): PositionChange {
    let ofMarket = this.#changes.get(market);
    if (ofMarket === undefined) this.#changes.set(market, (ofMarket = new Map<string, PositionChange>()));
    let change = ofMarket.get(accountId);
    if (change === undefined) {
      change = {
        account_id: accountId,
        market_id: market.id,
        before: this.#holdings?.positions(market.id).get(accountId) ?? null,
        yes_shares: 0,
        no_shares: 0,
        yes_cost_units: 0,
        no_cost_units: 0,
      };
      ofMarket.set(accountId, change);
    }
    return change;
  }
}

export const positions = model<Positions, { readonly accounts: Accounts; readonly positions: Positions }>({
  tables: [POSITIONS],
  create: ({ accounts }, { positionsMax }) => new Positions(accounts, positionsMax),
  on: {},
});
