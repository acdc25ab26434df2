import type { MarketResolved, MarketVoided, PositionSettled, SharesMerged } from '@paper/exchange/events';
import { AddedRows } from '../../engine/added-rows.ts';
import type { EventPosition, FoldSettings, ModelRows } from '../../engine/model.ts';
import type { Plan } from '../../engine/plan.ts';
import type { Accounts } from '../accounts/fold.ts';
import type { Markets } from '../markets/fold.ts';
import { model } from '../model.ts';
import type { Positions } from '../positions/fold.ts';
import { movedPosition } from '../positions/holdings.ts';
import { MovedRows } from '../positions/moved-rows.ts';
import { MERGES, RESOLUTIONS, SETTLEMENTS } from './table.ts';
import type { MergeRow, ResolutionRow, SettlementRow } from './table.ts';

interface Rows {
  readonly markets: Markets;
  readonly accounts: Accounts;
  readonly positions: Positions;
  readonly settlements: Settlements;
}

export class Settlements implements ModelRows {
  readonly resolutions: AddedRows<ResolutionRow>;
  readonly settlements: MovedRows<SettlementRow>;
  readonly merges: MovedRows<MergeRow>;

  constructor(settings: FoldSettings) {
    this.resolutions = new AddedRows(RESOLUTIONS, settings);
    this.settlements = new MovedRows(SETTLEMENTS, settings);
    this.merges = new MovedRows(MERGES, settings, ['cash_after_units']);
  }

  planAdded(plan: Plan): void {
    this.merges.planAdded(plan);
    this.settlements.planAdded(plan);
    this.resolutions.planAdded(plan);
  }
}

export const settlements = model<Settlements, Rows>({
  tables: [RESOLUTIONS, SETTLEMENTS, MERGES],
  create: (_rows, settings) => new Settlements(settings),
  on: { MarketResolved: resolve, MarketVoided: resolve, PositionSettled: settle, SharesMerged: merge },
});

function settle(event: PositionSettled, { seq, id }: EventPosition, rows: Rows): void {
  const { accounts, markets, positions, settlements } = rows;
  const { accountId, costUnits, outcome, payoutUnits, shares } = event;
  const cashUnits = accounts.pay(accountId, payoutUnits);
  positions.move(markets.market, accountId, outcome, -shares, -costUnits);
  if (!settlements.settlements.isWritten) return;
  settlements.settlements.add(
    {
      seq,
      id,
      account_id: accountId,
      market_id: event.marketId,
      outcome,
      shares,
      payout_units: payoutUnits,
      cost_units: costUnits,
      at_ms: event.at,
      cash_after_units: cashUnits,
    },
    positions,
  );
}

function merge(event: SharesMerged, { seq, id }: EventPosition, rows: Rows): void {
  const { accounts, markets, positions, settlements } = rows;
  const { accountId, noCostUnits, quantity, yesCostUnits } = event;
  accounts.pay(accountId, 10_000 * quantity);
  positions.move(markets.market, accountId, 'yes', -quantity, -yesCostUnits);
  const position = positions.move(markets.market, accountId, 'no', -quantity, -noCostUnits);
  if (!settlements.merges.isWritten) return;
  const held = movedPosition(position.before, position);
  settlements.merges.add(
    {
      seq,
      id,
      account_id: accountId,
      market_id: event.marketId,
      quantity,
      yes_cost_units: yesCostUnits,
      no_cost_units: noCostUnits,
      at_ms: event.at,
      cash_after_units: event.cashUnits,
      yes_shares_after: held.yes_shares,
      no_shares_after: held.no_shares,
      yes_cost_after_units: held.yes_cost_units,
      no_cost_after_units: held.no_cost_units,
    },
    positions,
  );
}

function resolve(event: MarketResolved | MarketVoided, { seq, id }: EventPosition, rows: Rows): void {
  const end =
    event.type === 'MarketVoided'
      ? { outcome: null, price_units: event.priceUnits, headline: event.reason, source: null, citation_url: null }
      : {
          outcome: event.outcome,
          price_units: event.outcome === 'yes' ? 10_000 : 0,
          headline: event.headline,
          source: event.source,
          citation_url: event.citationUrl,
        };
  rows.settlements.resolutions.add({
    ...end,
    market_id: event.marketId,
    seq,
    id,
    prob_before_half_units: rows.markets.market.beforeHalfUnits,
    at_ms: event.at,
  });
}
