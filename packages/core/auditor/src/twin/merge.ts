import type { CommandOf } from '../events/judged-commands.ts';
import { hasEnded } from './runs.ts';
import { emit, findAccount, findMarket, refuse, reservedShares, takeShares, UNCHANGED } from './world.ts';
import type { Key, Verdict, World } from './world.ts';

/** Turns free pairs of the key's account into $1 each: this many, or all. */
export function mergeShares(world: World, { marketId, quantity }: CommandOf<'MergeShares'>, key: Key): Verdict {
  const market = findMarket(world, marketId);
  if (market === undefined) return refuse('market_not_found');
  if (hasEnded(market)) return refuse('market_already_resolved');
  const account = findAccount(world, key.accountId);
  if (account === undefined) return refuse('not_authenticated');
  const position = market.positions.get(account.id);
  const free = (['yes', 'no'] as const).map(
    (outcome) => (position?.shares[outcome] ?? 0) - reservedShares(account, marketId, outcome),
  );
  const pairs = Math.min(...free);
  const merged = quantity ?? pairs;
  if (merged > pairs) return refuse('insufficient_shares');
  if (merged === 0 || position === undefined) return UNCHANGED;
  account.cash += 10_000 * merged;
  emit(world, 'SharesMerged', {
    accountId: account.id,
    cashUnits: account.cash,
    marketId,
    noCostUnits: takeShares(position, 'no', merged),
    quantity: merged,
    yesCostUnits: takeShares(position, 'yes', merged),
  });
  return { kind: 'accepted', events: world.emitted };
}
