import type { JudgedEvent, MarketAmended, MarketListed } from '../events/judged-events.ts';
import { Ledger } from '../ledger/ledger.ts';
import type { BookMarket } from '../ledger/ledger.ts';
import { recount } from '../ledger/recount.ts';
import { cancelOrder } from './cancels.ts';
import { endOfOrder } from './end-of-order.ts';
import { fillOrder } from './fills.ts';
import { setMandate } from './mandates.ts';
import { mergeShares } from './merges.ts';
import { amendOrder, placeOrder, replaceOrder } from './orders.ts';
import { endMarket, settleMarket, settlePosition } from './settlements.ts';
import { setClosing, setSwitch } from './timers.ts';

/**
 * Checks the rules that hold after every event, by a fold of its own. `event` takes the journal's events in order and
 * throws a Violation at the first that breaks a rule. `endOfDecision` is called after a decision's last event and
 * checks that the decision was complete. `recount` recomputes all sums from single orders and holdings, which is slow
 * and therefore separate. After a Violation the fold cannot be used further.
 */
export class Invariants {
  readonly #ledger = new Ledger();

  /** The sequence of the last event. */
  get seq(): number {
    return this.#ledger.seq;
  }

  /** The holdings after the last event, read-only. */
  get ledger(): Ledger {
    return this.#ledger;
  }

  event(event: JudgedEvent, seq: number = this.seq + 1): void {
    const ledger = this.#ledger;
    ledger.event = event;
    ledger.must(seq === ledger.seq + 1, 'events are contiguous', () => `${seq} follows ${ledger.seq}`);
    ledger.seq = seq;
    ledger.must(event.at >= ledger.lastAt, 'time never goes back', () => `${event.at} follows ${ledger.lastAt}`);
    ledger.lastAt = event.at;
    apply(ledger, event);
    ledger.must(
      ledger.cash + ledger.locked === ledger.granted,
      'money is conserved',
      () => `cash ${ledger.cash} + pairs and pools ${ledger.locked} ≠ granted ${ledger.granted}`,
    );
  }

  endOfDecision(): void {
    endOfOrder(this.#ledger);
  }

  recount(): void {
    recount(this.#ledger);
  }
}

type AccountEventType = 'AccountApproved' | 'ApiKeyIssued' | 'ApiKeyRevoked' | 'AccountClosed' | 'DisplayNameForgotten';

function apply(ledger: Ledger, event: JudgedEvent): void {
  switch (event.type) {
    case 'WriterEpochStarted':
      ledger.settings = event.settings;
      ledger.rulesVersion = event.rulesVersion;
      break;
    case 'AccountOpened':
      openAccount(ledger, event.accountId, event.accountId, event.startingBalanceUnits);
      break;
    case 'SubAccountOpened':
      if (event.primaryAccountId !== undefined) ledger.checkOpen(event.primaryAccountId);
      openAccount(ledger, event.accountId, ownerOf(ledger, event.primaryAccountId), event.startingBalanceUnits);
      break;
    case 'MarketListed':
      listMarket(ledger, event);
      break;
    case 'MarketActivated':
      changePhase(ledger, event, 'active');
      break;
    case 'MarketPaused':
      changePhase(ledger, event, 'paused');
      break;
    case 'MarketClosed':
      changePhase(ledger, event, 'closed');
      break;
    case 'MarketResolved':
      endMarket(ledger, event.marketId, event.poolUnits, event.outcome === 'yes' ? 10_000 : 0);
      break;
    case 'MarketVoided':
      endMarket(ledger, event.marketId, event.poolUnits, event.priceUnits);
      break;
    case 'OrderPlaced':
      placeOrder(ledger, event);
      break;
    case 'OrderFilled':
      fillOrder(ledger, event);
      break;
    case 'OrderCancelled':
      cancelOrder(ledger, event);
      break;
    case 'OrderAmended':
      amendOrder(ledger, event);
      break;
    case 'OrderReplaced':
      replaceOrder(ledger, event);
      break;
    case 'SharesMerged':
      mergeShares(ledger, event);
      break;
    case 'DeadManSwitchSet':
      // A switch that was armed before the closing turns itself off after it.
      if (event.cancelsAt !== null && event.cancelsAt !== undefined) ledger.checkOpen(event.accountId);
      setSwitch(ledger, event);
      break;
    case 'MandateSet':
      setMandate(ledger, event);
      break;
    case 'PositionSettled':
      settlePosition(ledger, event);
      break;
    case 'MarketSettled':
      settleMarket(ledger, event);
      break;
    case 'MarketAmended':
      moveClosingTime(ledger, event);
      break;
    case 'SignalRecorded':
      if (event.marketId !== null) ledger.market(event.marketId);
      break;
    default:
      applyToAccount(ledger, event);
  }
}

/** Events of an account that move no money. */
function applyToAccount(
  ledger: Ledger,
  { accountId, type }: Extract<JudgedEvent, { readonly type: AccountEventType }>,
): void {
  const account = ledger.account(accountId);
  switch (type) {
    case 'AccountApproved':
    case 'ApiKeyRevoked':
      break;
    case 'ApiKeyIssued':
      ledger.checkOpen(accountId);
      break;
    case 'AccountClosed':
      ledger.checkOpen(accountId);
      account.closed = true;
      break;
    case 'DisplayNameForgotten':
      ledger.must(
        account.closed,
        'a closed account does nothing',
        () => `${accountId} is open, and its name was forgotten`,
      );
      break;
  }
}

/** The owner of a sub-account; null where it was withheld. */
function ownerOf(ledger: Ledger, primaryAccountId: string | undefined): string | null {
  return primaryAccountId === undefined ? null : ledger.account(primaryAccountId).owner;
}

function openAccount(ledger: Ledger, accountId: string, owner: string | null, balance: number): void {
  ledger.must(!ledger.accounts.has(accountId), 'an event names what exists', 'the account is open already');
  ledger.accounts.set(accountId, {
    accountId,
    owner,
    cash: balance,
    reserved: 0,
    open: new Set(),
    cancelsAt: null,
    closed: false,
  });
  ledger.granted += balance;
  ledger.cash += balance;
}

function listMarket(ledger: Ledger, { at, closesAt, marketId, phase, tickUnits }: MarketListed): void {
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
  setClosing(ledger, market, at);
}

function moveClosingTime(ledger: Ledger, { at, closesAt, marketId }: MarketAmended): void {
  const market = ledger.market(marketId);
  if (closesAt === market.closesAt) return;
  market.hasClosingTime = true;
  market.closesAt = closesAt;
  setClosing(ledger, market, at);
}

function changePhase(
  ledger: Ledger,
  { at, marketId }: { readonly at: number; readonly marketId: string },
  phase: BookMarket['phase'],
): void {
  const market = ledger.market(marketId);
  ledger.must(market.yesPays === null, 'settlement pays exactly', () => `the market is ${market.phase}`);
  market.phase = phase;
  setClosing(ledger, market, at);
}
