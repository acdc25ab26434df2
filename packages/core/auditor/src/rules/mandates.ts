import type { EventOf } from '../events/judged-events.ts';
import type { Incoming, KeyLimits, Ledger, LimitedFigures } from '../ledger/ledger.ts';

const DAY_MS = 86_400_000;

export function setMandate(ledger: Ledger, { accountId, keyId, mandate }: EventOf<'MandateSet'>): void {
  ledger.account(accountId);
  limitsOf(ledger, keyId).mandate = mandate;
}

function limitsOf(ledger: Ledger, keyId: string): KeyLimits {
  let limits = ledger.keys.get(keyId);
  if (limits === undefined) {
    limits = { mandate: null, day: 0, spentUnits: 0 };
    ledger.keys.set(keyId, limits);
  }
  return limits;
}

/** The present figures that the mandate of an order's key limits; null without a mandate. */
export function limitedFigures(
  ledger: Ledger,
  { accountId, keyId, marketId, outcome }: Incoming['announced'],
): LimitedFigures | null {
  if (typeof keyId !== 'string') return null;
  const mandate = ledger.keys.get(keyId)?.mandate;
  if (mandate === null || mandate === undefined) return null;
  const account = ledger.account(accountId);
  let shares = ledger.market(marketId).holdings.get(accountId)?.shares[outcome] ?? 0;
  for (const open of account.open) {
    if (open.marketId === marketId && open.outcome === outcome && open.side === 'buy') shares += open.remaining;
  }
  return { reserved: account.reserved, shares };
}

/** Checks, at the end of an order's decision, the amount that its key has spent today, and the key's mandate. */
export function checkSpending(ledger: Ledger, { announced, before, rested, spent }: Incoming): void {
  const { at, keyId, side, spentUnits } = announced;
  if (keyId === undefined) return;
  const reserved = rested ? announced.priceUnits * announced.restQuantity : 0;
  const cost = ledger.rulesVersion >= 3 && side === 'buy' ? spent + reserved : 0;
  ledger.must(spentUnits === cost, 'costs are right', () => `it spends ${cost}, not ${String(spentUnits)}`);
  ledger.must(
    (keyId === null) === ledger.rulesVersion < 3,
    'an event names what exists',
    () => `an order of rules version ${ledger.rulesVersion} has the key ${String(keyId)}`,
  );
  if (keyId === null) return;
  const limits = limitsOf(ledger, keyId);
  const today = Math.floor(at / DAY_MS);
  const spentBefore = limits.day === today ? limits.spentUnits : 0;
  limits.day = today;
  limits.spentUnits = spentBefore + cost;
  const after = limitedFigures(ledger, announced);
  const { mandate } = limits;
  if (!mandate || before === null || after === null) return;
  const mayBuy = mandate.reduceOnly !== true || side === 'sell';
  ledger.must(mayBuy, 'a key keeps its mandate', () => `${keyId} may only reduce`);
  const mayTrade = mandate.marketIds?.includes(announced.marketId) ?? true;
  ledger.must(mayTrade, 'a key keeps its mandate', () => `${keyId} may not trade in ${announced.marketId}`);
  const figures = [
    ['maxOrderCostUnits', 0, cost],
    ['maxReservedUnits', before.reserved, after.reserved],
    ['maxShares', before.shares, after.shares],
    ['spendPerDayUnits', spentBefore, spentBefore + cost],
  ] as const;
  for (const [name, from, to] of figures) {
    const limit = mandate[name] ?? Infinity;
    // A limit refuses only an order that raises its figure above the limit.
    ledger.must(
      to <= limit || to <= from,
      'a key keeps its mandate',
      () => `${name} of ${keyId} is ${limit}, and went from ${from} to ${to}`,
    );
  }
}
