import type { AccountEventView } from '@paper/contracts/accounts';
import type { Wake } from '@paper/contracts/backtests';
import { decodeEvent, decodePublicEvent } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';
import { LiveAccounts, Progress } from '@paper/read-models';
import { ShownMarkets } from './shown-markets.ts';

/** The most events of an account in one answer of `advance`. */
const EVENTS_MAX = 1_000;

/**
 * The part of the journal that participants see without asking: the events of their accounts, and the fact that
 * something happened.
 */
export class Feed {
  readonly markets = new ShownMarkets();
  /** The last event that is shown, for readers that wait for an event. */
  readonly progress = new Progress();
  readonly #accounts = new LiveAccounts(this.markets.nameOf);
  /** The events that are shown later, in the order of the journal. */
  readonly #coming: { readonly dueMs: number; readonly stored: StoredEvent }[] = [];
  #seq = 0;
  #firstMs: number | null = null;
  /** The accounts of each followed fleet, by its primary account. */
  readonly #fleets = new Map<string, string[]>();
  readonly #unread = new Map<string, AccountEventView[]>();
  /** The last shown sequence of books, of trades, and of each account. */
  readonly #newest = { book: 0, trades: 0 };
  readonly #newestOf = new Map<string, number>();

  /**
   * @param latencyMs the delay after which an event is shown
   * @param onShown called when more events are shown
   */
  constructor(
    private readonly latencyMs: number,
    private readonly onShown: () => void,
  ) {}

  /** Follows the primary account of a fleet, which has just been opened at this sequence. */
  follow(accountId: string, cashUnits: number, seq: number): void {
    this.#fleets.set(accountId, [accountId]);
    this.#accounts.add(accountId, { cashUnits, orders: [] }, seq);
  }

  /** The sub-accounts of a followed fleet. */
  subAccountsOf(accountId: string): readonly string[] {
    return this.#fleets.get(accountId)?.slice(1) ?? [];
  }

  /** The sequence of the last event that was taken. */
  get seq(): number {
    return this.#seq;
  }

  /**
   * Takes the events of the present time, and shows the events that are due. Events before the first moment are shown
   * without delay.
   * @returns whether a sub-account of a followed fleet was opened
   */
  take(events: readonly StoredEvent[], nowMs: number, delayMs = this.latencyMs): boolean {
    let isFleetLarger = false;
    for (const stored of events) {
      this.#seq = stored.seq;
      this.#coming.push({ dueMs: nowMs + delayMs, stored });
      if (stored.type !== 'SubAccountOpened') continue;
      const { event } = decodeEvent(stored);
      const fleet = event.type === 'SubAccountOpened' ? this.#fleets.get(event.primaryAccountId) : undefined;
      if (event.type !== 'SubAccountOpened' || fleet === undefined) continue;
      fleet.push(event.accountId);
      isFleetLarger = true;
    }
    this.#show(nowMs);
    return isFleetLarger;
  }

  /** The time when the next event is shown; Infinity if none is waiting. */
  get nextMs(): number {
    return this.#coming[0]?.dueMs ?? Infinity;
  }

  /** Whether an event that `wake` names was shown after this position, to the account or to its fleet. */
  hasNews(wake: readonly Wake[], accountId: string, isFleet: boolean, since: FeedPosition): boolean {
    return wake.some((one) =>
      one === 'account' ? this.#newestFor(accountId, isFleet) > since.account : this.#newest[one] > since[one],
    );
  }

  /** The present position of the feed, for `hasNews`. */
  position(accountId: string, isFleet: boolean): FeedPosition {
    return { ...this.#newest, account: this.#newestFor(accountId, isFleet) };
  }

  /**
   * Removes and returns the oldest unread events of the account, or of its fleet: all of them, or as many as one answer
   * may contain.
   */
  read(accountId: string, isFleet: boolean): { readonly events: readonly AccountEventView[]; readonly more: boolean } {
    const all = this.#accountsOf(accountId, isFleet).flatMap((id) => this.#unread.get(id) ?? []);
    // Entries of the same event keep the order in which their accounts were shown: the sort is stable.
    const events = all.sort((a, b) => a.seq - b.seq).slice(0, EVENTS_MAX);
    const given = new Set(events);
    for (const id of this.#accountsOf(accountId, isFleet)) {
      this.#unread.set(
        id,
        (this.#unread.get(id) ?? []).filter((event) => !given.has(event)),
      );
    }
    return { events, more: all.length > events.length };
  }

  /** Whether the account, or its fleet, has more unread events than one answer may contain. */
  isFull(accountId: string, isFleet: boolean): boolean {
    const unread = this.#accountsOf(accountId, isFleet).map((id) => this.#unread.get(id)?.length ?? 0);
    return unread.reduce((sum, one) => sum + one, 0) > EVENTS_MAX;
  }

  #accountsOf(accountId: string, isFleet: boolean): readonly string[] {
    return (isFleet ? this.#fleets.get(accountId) : undefined) ?? [accountId];
  }

  #newestFor(accountId: string, isFleet: boolean): number {
    return Math.max(...this.#accountsOf(accountId, isFleet).map((id) => this.#newestOf.get(id) ?? 0));
  }

  #show(nowMs: number): void {
    this.#firstMs ??= nowMs;
    this.markets.nowMs = Math.max(this.#firstMs, nowMs - this.latencyMs);
    const later = this.#coming.findIndex(({ dueMs }) => dueMs > nowMs);
    const due = this.#coming.splice(0, later === -1 ? this.#coming.length : later);
    for (const { stored } of due) this.#apply(stored);
    const last = due.at(-1);
    if (last === undefined) return;
    this.progress.set(last.stored.seq);
    this.onShown();
  }

  #apply(stored: StoredEvent): void {
    const followed = decodeEvent(stored);
    const { event, seq } = followed;
    if (event.type === 'SubAccountOpened' && this.#fleets.has(event.primaryAccountId)) {
      this.#accounts.add(event.accountId, { cashUnits: event.startingBalanceUnits, orders: [] }, seq);
    }
    for (const { levels, trades } of this.markets.apply(decodePublicEvent(stored))) {
      if (levels.length > 0) this.#newest.book = seq;
      if (trades.length > 0) this.#newest.trades = seq;
    }
    for (const view of this.#accounts.apply(followed)) {
      this.#newestOf.set(view.accountId, seq);
      const unread = this.#unread.get(view.accountId);
      if (unread === undefined) this.#unread.set(view.accountId, [view]);
      else unread.push(view);
    }
  }
}

export interface FeedPosition {
  readonly account: number;
  readonly book: number;
  readonly trades: number;
}
