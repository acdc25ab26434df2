import type { CommandOf } from '../commands.ts';
import { FORBIDDEN, UNCHANGED, accept } from '../decision.ts';
import type { Decision } from '../decision.ts';
import type { ExchangeEvent } from '../events.ts';
import { restingCancelled } from '../orders/cancel.ts';
import type { Level, Order } from '../state/book.ts';
import type { Market } from '../state/market.ts';
import { decisionTime } from '../state/state.ts';
import type { State } from '../state/state.ts';
import type { CancelReason } from '../vocabulary.ts';

/**
 * Continues a close, resolution or void (a run): up to `runChunk` cancels while orders rest. Then, for resolve and void,
 * up to `runChunk` settlements in the order of each account's first order in the market, YES before NO, and
 * MarketSettled after the last.
 */
export function continueRun(state: State, command: CommandOf<'ContinueRun'>): Decision {
  if (command.by.kind !== 'system') return FORBIDDEN;
  const market = state.runs.get(command.marketId);
  if (market === undefined || market.run === null) return UNCHANGED;
  const at = decisionTime(state, command.at);
  const { runChunk } = state.settings;
  const events: ExchangeEvent[] = [];
  if (market.book.orders > 0) {
    pushCancels(events, market, market.run.kind === 'close' ? 'market_closed' : 'market_resolved', runChunk, at);
  } else {
    pushSettlements(events, market, runChunk, at);
  }
  return accept(events);
}

/** Appends up to `count` cancels of resting orders: YES bids, then asks; the best price first, then the oldest. */
export function pushCancels(
  events: ExchangeEvent[],
  market: Market,
  reason: CancelReason,
  count: number,
  at: number,
): void {
  let left = count;
  for (const side of [market.book.yes, market.book.no]) {
    for (let level: Level | null = side.best; level !== null && left > 0; level = side.worse(level)) {
      for (let order: Order | null = level.head; order !== null && left > 0; order = order.next) {
        events.push(restingCancelled(order, at, reason));
        left -= 1;
      }
    }
  }
}

/** Appends up to `count` settlements, and MarketSettled after the last settlement of the market. */
function pushSettlements(events: ExchangeEvent[], market: Market, count: number, at: number): void {
  let paidUnits = market.paidInRunUnits;
  let settledAccounts = market.settledInRun;
  let left = count;
  for (let index = market.settledUpTo; index < market.positions.length; index += 1) {
    const position = market.positions[index];
    if (position === undefined) break;
    let counted = position.settled;
    for (const outcome of ['yes', 'no'] as const) {
      const shares = position[outcome];
      if (shares === 0) continue;
      if (left === 0) return;
      left -= 1;
      if (!counted) {
        counted = true;
        settledAccounts += 1;
      }
      const payoutUnits = shares * market.payoutUnits(outcome);
      paidUnits += payoutUnits;
      events.push({
        accountId: position.account.id,
        at,
        costUnits: outcome === 'yes' ? position.yesCostUnits : position.noCostUnits,
        marketId: market.id,
        outcome,
        payoutUnits,
        shares,
        type: 'PositionSettled',
      });
    }
  }
  events.push({
    at,
    cancelledOrders: market.cancelledInRun,
    marketId: market.id,
    paidUnits,
    settledAccounts,
    type: 'MarketSettled',
  });
}
