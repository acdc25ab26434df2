import type { EventOf } from '../events/judged-events.ts';
import type { BookMarket, Ledger } from '../ledger/ledger.ts';

/** Sets the timer that closes an active market at closesAt, if that is in the future. */
export function setClosingTimer(ledger: Ledger, market: BookMarket, at: number): void {
  market.closesByClock = market.phase === 'active' && market.closesAt > at;
  if (market.closesByClock) ledger.closings.add(market.closesAt, ledger.seq, market);
}

/** Sets a dead-man switch, or turns it off. A switch that is due turns off only once no order is left. */
export function setSwitch(ledger: Ledger, { accountId, at, cancelsAt }: EventOf<'DeadManSwitchSet'>): void {
  // A switch that was armed before the account was closed turns itself off afterwards.
  if (typeof cancelsAt === 'number') ledger.checkOpen(accountId);
  const account = ledger.account(accountId);
  const isAhead = typeof cancelsAt !== 'number' || cancelsAt > at;
  ledger.must(isAhead, 'nothing outlives its time', () => `a switch is set to ${String(cancelsAt)}`);
  const wasDue = typeof account.cancelsAt === 'number' && account.cancelsAt <= at;
  ledger.must(
    !wasDue || account.open.size === 0,
    'timers come first',
    () => `${account.open.size} orders rest past the dead-man switch at ${String(account.cancelsAt)}`,
  );
  account.cancelsAt = cancelsAt;
  if (typeof cancelsAt === 'number') ledger.switches.add(cancelsAt, ledger.seq, account);
}

/** From rules version 3 on, everything due at a time is decided before an order of that time. */
export function checkNothingDue(ledger: Ledger, at: number): void {
  if (ledger.rulesVersion < 3) return;
  const closing = ledger.closings.first();
  const expiry = ledger.expiries.first();
  const armed = ledger.switches.first();
  const isOpen = closing === null || closing.at > at;
  ledger.must(isOpen, 'timers come first', () => `${closing?.item.marketId ?? ''} closes at ${closing?.at ?? 0}`);
  const isLive = expiry === null || expiry.at > at;
  ledger.must(isLive, 'timers come first', () => `${expiry?.item.orderId ?? ''} expires at ${expiry?.at ?? 0}`);
  ledger.must(
    armed === null || armed.at > at,
    'timers come first',
    () => `the dead-man switch of ${armed?.item.accountId ?? ''} is due at ${armed?.at ?? 0}`,
  );
}
