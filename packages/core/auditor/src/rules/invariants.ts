import { createHash } from 'node:crypto';
import type { EventOf, JudgedEvent } from '../events/judged-events.ts';
import { Ledger, toYes } from '../ledger/ledger.ts';
import type { BookMarket } from '../ledger/ledger.ts';
import { recount } from '../ledger/recount.ts';
import { cancelOrder } from './cancels.ts';
import { endOfOrder } from './end-of-order.ts';
import { fillOrder } from './fills.ts';
import { setMandate } from './mandates.ts';
import { amendOrder, placeOrder, replaceOrder } from './orders.ts';
import { endMarket, mergeShares, settleMarket, settlePosition } from './settlements.ts';
import { setClosingTimer, setSwitch } from './timers.ts';

/**
 * Checks, by a fold of its own, the rules that hold after every event. `apply` throws a Violation at the first event
 * that breaks one, `endOfDecision` if a decision is incomplete. `recount` is separate, since it is slow. After a
 * Violation the instance is unusable.
 */
export class Invariants {
  /** The holdings after the last event. */
  readonly ledger = new Ledger();

  apply(event: JudgedEvent, seq: number = this.ledger.seq + 1): void {
    const { ledger } = this;
    ledger.event = event;
    ledger.must(seq === ledger.seq + 1, 'events are contiguous', () => `${seq} follows ${ledger.seq}`);
    ledger.seq = seq;
    ledger.must(event.at >= ledger.lastAt, 'time never goes back', () => `${event.at} follows ${ledger.lastAt}`);
    ledger.lastAt = event.at;
    // The compiler cannot follow an event's type through a union to the event's rule.
    const apply = RULES[event.type] as (ledger: Ledger, event: JudgedEvent) => void;
    apply(ledger, event);
    ledger.must(
      ledger.cash + ledger.locked === ledger.granted,
      'money is conserved',
      () => `cash ${ledger.cash} + pairs and pools ${ledger.locked} ≠ granted ${ledger.granted}`,
    );
  }

  endOfDecision(): void {
    endOfOrder(this.ledger);
  }

  recount(): void {
    recount(this.ledger);
  }
}

const RULES: { readonly [T in JudgedEvent['type']]: (ledger: Ledger, event: EventOf<T>) => void } = {
  OrderPlaced: placeOrder,
  OrderFilled: fillOrder,
  OrderCancelled: cancelOrder,
  OrderAmended: amendOrder,
  OrderReplaced: replaceOrder,
  SharesMerged: mergeShares,
  DeadManSwitchSet: setSwitch,
  MandateSet: setMandate,
  AccountOpened: (ledger, event) => openAccount(ledger, event, event.accountId, TAPE_DIGESTS.has(event.nameDigest)),
  SubAccountOpened: openSubAccount,
  AccountApproved: (ledger, { accountId }) => void ledger.account(accountId),
  AccountRenamed: renameAccount,
  AccountClosed: closeAccount,
  DisplayNameForgotten: forgetDisplayName,
  ApiKeyIssued: (ledger, { accountId }) => ledger.checkOpen(accountId),
  ApiKeyRevoked: (ledger, { accountId }) => void ledger.account(accountId),
  MarketListed: listMarket,
  MarketAmended: moveClosingTime,
  MarketActivated: (ledger, event) => changePhase(ledger, event, 'active'),
  MarketPaused: (ledger, event) => changePhase(ledger, event, 'paused'),
  MarketClosed: (ledger, event) => changePhase(ledger, event, 'closed'),
  MarketResolved: (ledger, { marketId, outcome, poolUnits }) =>
    endMarket(ledger, marketId, poolUnits, toYes(outcome, 10_000)),
  MarketVoided: (ledger, { marketId, poolUnits, priceUnits }) => endMarket(ledger, marketId, poolUnits, priceUnits),
  PositionSettled: settlePosition,
  MarketSettled: settleMarket,
  SignalRecorded: recordSignal,
  WriterEpochStarted: (ledger, { rulesVersion, settings }) => {
    ledger.settings = settings;
    ledger.rulesVersion = rulesVersion;
  },
};

/**
 * The digests of the names of the accounts that play a tape. Those names have no salt, so that an audit without private
 * parts recognizes these accounts too.
 */
const TAPE_DIGESTS: ReadonlySet<string> = new Set(
  ['mirror', 'flow'].map((name) => createHash('sha256').update(name).digest('hex')),
);

function recordSignal(ledger: Ledger, { at, marketId, publishedAt }: EventOf<'SignalRecorded'>): void {
  if (marketId !== null) ledger.market(marketId);
  const isPublished = ledger.rulesVersion < 5 || publishedAt - at <= 86_400_000;
  ledger.must(isPublished, 'limits hold', () => `a signal that is published ${publishedAt - at} ms later`);
}

function openSubAccount(ledger: Ledger, event: EventOf<'SubAccountOpened'>): void {
  const { primaryAccountId } = event;
  // The owner of a sub-account may be withheld.
  const primary = primaryAccountId === undefined ? null : ledger.account(primaryAccountId);
  if (primary !== null) ledger.checkOpen(primary.accountId);
  openAccount(ledger, event, primary?.owner ?? null, false);
}

function renameAccount(ledger: Ledger, { accountId, at }: EventOf<'AccountRenamed'>): void {
  ledger.checkOpen(accountId);
  const account = ledger.account(accountId);
  ledger.must(
    account.owner === null || account.owner === accountId,
    'an event names what exists',
    () => `${accountId} is a sub-account, which has no key that may rename it`,
  );
  const former = account.renamedAt;
  const isWeekOld = former === null || at - former >= 604_800_000;
  ledger.must(isWeekOld, 'limits hold', () => `the name was changed ${at - (former ?? 0)} ms before`);
  account.renamedAt = at;
}

function closeAccount(ledger: Ledger, { accountId }: EventOf<'AccountClosed'>): void {
  ledger.checkOpen(accountId);
  ledger.account(accountId).closed = true;
}

function forgetDisplayName(ledger: Ledger, { accountId }: EventOf<'DisplayNameForgotten'>): void {
  if (!ledger.account(accountId).closed) {
    throw ledger.violation('a closed account does nothing', `${accountId} is open, and its name was forgotten`);
  }
}

function openAccount(
  ledger: Ledger,
  { accountId, startingBalanceUnits: balance }: EventOf<'AccountOpened' | 'SubAccountOpened'>,
  owner: string | null,
  playsTape: boolean,
): void {
  ledger.must(!ledger.accounts.has(accountId), 'an event names what exists', 'the account is open already');
  ledger.accounts.set(accountId, {
    accountId,
    owner,
    cash: balance,
    reserved: 0,
    open: new Set(),
    cancelsAt: null,
    renamedAt: null,
    playsTape,
    closed: false,
  });
  ledger.granted += balance;
  ledger.cash += balance;
}

function listMarket(ledger: Ledger, { at, closesAt, marketId, phase, tickUnits }: EventOf<'MarketListed'>): void {
  ledger.must(!ledger.markets.has(marketId), 'an event names what exists', 'the market is listed already');
  const market: BookMarket = {
    marketId,
    tick: tickUnits,
    phase,
    closesAt,
    hasClosingTime: phase === 'closed' || closesAt > at,
    closesByClock: false,
    pairs: 0,
    shares: { yes: 0, no: 0 },
    pool: 0,
    poolAtStart: 0,
    yesPays: null,
    cancelledInRun: 0,
    settledHolders: new Set(),
    holdings: new Map(),
    bids: [],
    asks: [],
  };
  ledger.markets.set(marketId, market);
  setClosingTimer(ledger, market, at);
}

function moveClosingTime(ledger: Ledger, { at, closesAt, marketId }: EventOf<'MarketAmended'>): void {
  const market = ledger.market(marketId);
  if (closesAt === market.closesAt) return;
  market.hasClosingTime = true;
  market.closesAt = closesAt;
  setClosingTimer(ledger, market, at);
}

function changePhase(
  ledger: Ledger,
  event: EventOf<'MarketActivated' | 'MarketClosed' | 'MarketPaused'>,
  phase: BookMarket['phase'],
): void {
  const market = ledger.market(event.marketId);
  ledger.must(market.yesPays === null, 'settlement pays exactly', () => `the market is ${market.phase}`);
  market.phase = phase;
  setClosingTimer(ledger, market, event.at);
}
