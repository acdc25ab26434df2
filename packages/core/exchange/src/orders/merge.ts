import type { CommandOf } from '../commands.ts';
import { UNCHANGED, accept, invalid, noMarket, reject } from '../decision.ts';
import type { Decision } from '../decision.ts';
import { costRemoved, isOutside } from '../money.ts';
import { SHARE_UNITS } from '../vocabulary.ts';
import { replayOf } from '../state/idempotency.ts';
import { decisionTime, tradingKey } from '../state/state.ts';
import type { State } from '../state/state.ts';

/** Turns `quantity` pairs of the account's free YES and NO shares (null: all) into $1 each, before settlement. */
export function mergeShares(state: State, command: CommandOf<'MergeShares'>): Decision {
  const key = tradingKey(state, command.by);
  if ('kind' in key) return key;
  const { quantity } = command;
  if (isOutside(quantity, 1, Number.MAX_SAFE_INTEGER)) return invalid('quantity', 'must be a whole number from 1');
  const replay = replayOf(state.idempotency, command);
  if (replay !== null) return replay;
  const market = state.markets.get(command.marketId);
  if (market === undefined) return noMarket(command.marketId);
  if (market.ended) return market.alreadyEnded();
  const { account } = key;
  const position = market.positionOf(account);
  const free = position === null ? 0 : Math.min(position.free('yes'), position.free('no'));
  const merged = quantity ?? free;
  if (merged > free) {
    return reject(
      'insufficient_shares',
      `Insufficient shares: ${free} pairs of free YES and NO shares can be merged, not ${merged}.`,
    );
  }
  if (position === null || merged === 0) return UNCHANGED;
  return accept([
    {
      accountId: account.id,
      at: decisionTime(state, command.at),
      cashUnits: account.cashUnits + merged * SHARE_UNITS,
      marketId: market.id,
      noCostUnits: costRemoved(position.noCostUnits, position.no, merged),
      quantity: merged,
      type: 'SharesMerged',
      yesCostUnits: costRemoved(position.yesCostUnits, position.yes, merged),
    },
  ]);
}
