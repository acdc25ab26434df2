import type { AccountEventView } from '@paper/contracts/accounts';
import type { Wake } from '@paper/contracts/backtests';
import { createMemoryJournal, createMemoryLog, decodeEvent, decodePublicEvent } from '@paper/journal';
import type { Journal, LogEvents, StoredEvent } from '@paper/journal';
import { LiveAccounts, Progress } from '@paper/read-models';
import { shownEvents } from './shown-journal.ts';
import { ShownMarkets } from './shown-markets.ts';

const EVENTS_MAX = 1_000;

/** The events that participants are shown: those of their accounts, and of all others only that one happened. */
export class Feed {
  readonly markets = new ShownMarkets();
  /** The last event that is shown, for readers that wait for an event. */
  readonly progress = new Progress();
  readonly #accounts = new LiveAccounts(this.markets.nameOf);
  readonly #coming: { readonly dueMs: number; readonly stored: StoredEvent }[] = [];
  #seq = 0;
  #firstMs: number | null = null;
  readonly #fleets = new Map<string, string[]>();
  readonly #unread = new Map<string, AccountEventView[]>();
  /** The last shown sequence of books, of trades, and of each account. */
  readonly #newest = { book: 0, trades: 0 };
  readonly #newestOf = new Map<string, number>();

  readonly #shown;
  /** The journal as far as it is shown. */
  readonly journal: Journal;

  constructor(
    private readonly all: LogEvents,
    private readonly latencyMs: number,
  ) {
    this.#shown = createMemoryLog(shownEvents(all, () => this.progress.seq));
    this.journal = createMemoryJournal(this.#shown);
  }

  follow(accountId: string, cashUnits: number, seq: number): void {
    this.#fleets.set(accountId, [accountId]);
    this.#accounts.add(accountId, { cashUnits, orders: [] }, seq);
  }

  subAccountsOf(accountId: string): readonly string[] {
    return this.#fleets.get(accountId)?.slice(1) ?? [];
  }

  /** Takes the journal's new events, and shows those that are due. Returns whether a fleet has a new sub-account. */
  take(nowMs: number, delayMs = this.latencyMs): boolean {
    let isFleetLarger = false;
    for (const stored of this.all.slice(this.#seq)) {
      this.#seq = stored.seq;
      this.#coming.push({ dueMs: nowMs + delayMs, stored });
      const event = stored.type === 'SubAccountOpened' ? decodeEvent(stored).event : null;
      if (event?.type !== 'SubAccountOpened') continue;
      this.#fleets.get(event.primaryAccountId)?.push(event.accountId);
      this.#accounts.add(event.accountId, { cashUnits: event.startingBalanceUnits, orders: [] }, stored.seq);
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

  position(accountId: string, isFleet: boolean): FeedPosition {
    return { ...this.#newest, account: this.#newestFor(accountId, isFleet) };
  }

  /** Removes and returns the oldest unread events of the account, or of its fleet, as many as one answer may have. */
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
    this.#shown.wakeups.wake();
  }

  #apply(stored: StoredEvent): void {
    const followed = decodeEvent(stored);
    const { seq } = followed;
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

type FeedPosition = Readonly<Record<Wake, number>>;
