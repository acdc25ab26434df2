import type { AccountEventView } from '@paper/contracts/accounts';
import type { Wake } from '@paper/contracts/backtests';
import { decodeEvent, decodePublicEvent } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';
import { LiveAccounts, LiveBooks } from '@paper/read-models';

/** Events of an account that its `advance` gives at once. */
const EVENTS_MAX = 1_000;

/** What one event of the journal shows, once that time has come. */
interface Shown {
  readonly dueMs: number;
  readonly seq: number;
  readonly wakes: readonly Wake[];
  readonly views: readonly AccountEventView[];
}

/** What participants are shown of the journal without asking: the events of their accounts, and that something happened. */
export class Feed {
  #seq = 0;
  #shownSeq = 0;
  readonly #books = new LiveBooks(0);
  readonly #accounts = new LiveAccounts((marketId) => this.#books.nameOf(marketId));
  /** What is shown later, in the order of its times. */
  #coming: Shown[] = [];
  readonly #unread = new Map<string, AccountEventView[]>();
  /** The sequence of what was shown last of books and of trades, and of each account. */
  readonly #newest = { book: 0, trades: 0 };
  readonly #newestOf = new Map<string, number>();

  /**
   * @param latencyMs how much later than the exchange it shows an event
   * @param onShown called when more is shown
   */
  constructor(
    private readonly latencyMs: number,
    private readonly onShown: () => void,
  ) {}

  /** Follows an account, which has just been opened at this sequence. */
  follow(accountId: string, cashUnits: number, seq: number): void {
    this.#accounts.add(accountId, { cashUnits, orders: [] }, seq);
    this.#unread.set(accountId, []);
  }

  /** The last event that is shown. */
  get shownSeq(): number {
    return this.#shownSeq;
  }

  /** The last event that was taken. */
  get seq(): number {
    return this.#seq;
  }

  /** Takes the events of the present time, and shows what is due. */
  take(events: readonly StoredEvent[], nowMs: number): void {
    for (const stored of events) this.#take(stored, nowMs + this.latencyMs);
    this.show(nowMs);
  }

  /** When something is shown next; Infinity: nothing is to come. */
  get nextMs(): number {
    return this.#coming[0]?.dueMs ?? Infinity;
  }

  show(nowMs: number): void {
    const next = this.#coming.findIndex(({ dueMs }) => dueMs > nowMs);
    const due = this.#coming.splice(0, next === -1 ? this.#coming.length : next);
    for (const { seq, views, wakes } of due) {
      this.#shownSeq = seq;
      for (const wake of wakes) if (wake !== 'account') this.#newest[wake] = seq;
      for (const view of views) {
        this.#newestOf.set(view.accountId, seq);
        this.#unread.get(view.accountId)?.push(view);
      }
    }
    if (due.length > 0) this.onShown();
  }

  /** Whether anything that `wake` names was shown after this sequence. */
  hasNews(wake: readonly Wake[], accountId: string, since: FeedPosition): boolean {
    return wake.some((one) =>
      one === 'account' ? (this.#newestOf.get(accountId) ?? 0) > since.account : this.#newest[one] > since[one],
    );
  }

  /** Where the feed is now, for `hasNews`. */
  position(accountId: string): FeedPosition {
    return { ...this.#newest, account: this.#newestOf.get(accountId) ?? 0 };
  }

  /** Takes the account's oldest unread events: all of them, or as many as one answer has. */
  read(accountId: string): { readonly events: readonly AccountEventView[]; readonly more: boolean } {
    const unread = this.#unread.get(accountId) ?? [];
    return { events: unread.splice(0, EVENTS_MAX), more: unread.length > 0 };
  }

  #take(stored: StoredEvent, dueMs: number): void {
    const followed = decodeEvent(stored);
    const { event, seq } = followed;
    this.#seq = seq;
    if (event.type === 'SubAccountOpened' && this.#accounts.has(event.primaryAccountId)) {
      this.follow(event.accountId, event.startingBalanceUnits, seq);
    }
    const wakes = this.#books
      .apply(decodePublicEvent(stored))
      .flatMap(({ levels, trades }): Wake[] => [
        ...(levels.length > 0 ? (['book'] as const) : []),
        ...(trades.length > 0 ? (['trades'] as const) : []),
      ]);
    const views = this.#accounts.apply(followed);
    this.#coming.push({ dueMs, seq, views, wakes });
  }
}

export interface FeedPosition {
  readonly account: number;
  readonly book: number;
  readonly trades: number;
}
