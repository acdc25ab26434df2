import type { AccountEventView } from '@paper/contracts/accounts';
import type { ExchangeEvent } from '@paper/exchange/events';
import { decodeEvent, decodePublicEvent } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';
import { LiveAccounts } from '@paper/read-models';
import type { AccountEventAnswer, FollowedEvent, LiveBooks } from '@paper/read-models';
import type { RetryLog } from '@paper/runtime';
import { accountsOf, byAccount, eventTexts, textsOf } from './account-watch.ts';
import type { AccountWatch } from './account-watch.ts';
import type { DeliveryTrace } from './delivery-trace.ts';
import { RecentEvents } from './recent-events.ts';

interface AccountFeedSettings {
  readonly bufferedBytesMax: number;
  readonly retries: RetryLog;
  readonly onEvents: (events: number) => void;
  /** Cuts a stream whose client does not read. */
  readonly drop: (watch: AccountWatch) => void;
  readonly onBegun: () => void;
  /** Returns a stream to its follower, after everything up to the stream's `sentSeq` was sent. */
  readonly onLost: (watch: AccountWatch) => void;
  readonly trace: DeliveryTrace | null;
}

/** The most live orders of all streamed accounts in memory, some 100 MB. */
const ORDERS_MAX = 200_000;

/** What the feed keeps while it follows the journal. It is made anew when the books are loaded again. */
interface Following {
  readonly books: LiveBooks;
  readonly accounts: LiveAccounts;
  readonly recent: RecentEvents;
}

/**
 * Sends live streams the events of their accounts directly from the journal, as soon as they are durable. A stream
 * first catches up with the read models; then the feed adopts it. It returns when an event cannot be made from the
 * journal: a placement, whose private part is withheld from this process, or the opening of a sub-account.
 */
export class AccountFeed {
  /** Null while the journal is not followed. */
  #following: Following | null = null;
  /** The accounts of each adopted stream. */
  readonly #adopted = new Map<AccountWatch, readonly string[]>();
  readonly #watches = new Map<string, Set<AccountWatch>>();
  #made: AccountEventView[] = [];
  /** The sequence up to which everything was sent to the adopted streams. */
  #sentSeq = 0;

  constructor(private readonly settings: AccountFeedSettings) {}

  get count(): number {
    return this.#adopted.size;
  }

  /** Begins to follow the journal from the sequence of these books. */
  begin(books: LiveBooks): void {
    const accounts = new LiveAccounts((marketId) => books.nameOf(marketId));
    this.#following = { books, accounts, recent: new RecentEvents(books.seq) };
    this.#sentSeq = books.seq;
    this.settings.onBegun();
  }

  /** Stops following the journal: every stream returns to the read models. */
  end(): void {
    this.#made = [];
    for (const watch of [...this.#adopted.keys()]) this.#lose(watch);
    this.#following = null;
  }

  /** Whether a stream that was sent everything up to this sequence can be adopted. */
  covers(seq: number): boolean {
    const { accounts, recent } = this.#following ?? {};
    return recent?.covers(seq) === true && (accounts?.orders ?? 0) < ORDERS_MAX;
  }

  /** Adopts a stream that was sent the whole page, and sends it the later events. Returns whether it could. */
  adopt(watch: AccountWatch, page: AccountEventAnswer): boolean {
    const following = this.#following;
    const ids = accountsOf(watch, page.fleets);
    if (following === null || !this.covers(page.seq) || !ids.every((id) => page.states.has(id))) return false;
    const { books, recent } = following;
    const { trace } = this.settings;
    const startMs = trace?.now() ?? 0;
    const accounts = new LiveAccounts((marketId) => books.nameOf(marketId));
    for (const [id, state] of page.states) if (ids.includes(id)) accounts.add(id, state, page.seq);
    const views: AccountEventView[] = [];
    for (const stored of recent.since(page.seq)) {
      const followed = decoded(stored);
      if (endsKey(followed.event, watch)) {
        watch.end();
        return true;
      }
      if (isBeyond(stored, followed.event, watch, ids)) return false;
      views.push(...accounts.apply(followed));
    }
    const seq = Math.max(page.seq, recent.newest);
    watch.send(textsOf(ids, byAccount(eventTexts(views))), seq);
    trace?.sent('account', new Set(views.map((view) => view.seq)), startMs);
    this.#adopted.set(watch, ids);
    for (const id of ids) {
      this.#watches.set(id, (this.#watches.get(id) ?? new Set()).add(watch));
      const state = accounts.stateOf(id);
      if (state !== null && !following.accounts.has(id)) following.accounts.add(id, state, seq);
    }
    return true;
  }

  leave(watch: AccountWatch): void {
    for (const id of this.#adopted.get(watch) ?? []) {
      const watches = this.#watches.get(id);
      watches?.delete(watch);
      if (watches?.size !== 0) continue;
      this.#watches.delete(id);
      this.#following?.accounts.delete(id);
    }
    this.#adopted.delete(watch);
  }

  /** Sends the events of a page that the books already contain. */
  take(page: readonly StoredEvent[]): void {
    const following = this.#following;
    if (following === null) return;
    following.recent.add(page);
    const startMs = this.settings.trace?.now() ?? 0;
    try {
      if (this.#adopted.size > 0) for (const stored of page) this.#apply(stored, following.accounts, startMs);
      this.#send(following.recent.newest, startMs);
    } catch (error) {
      this.settings.retries.failed("accounts' events cannot be made from the journal", error);
      this.#made = [];
      for (const watch of [...this.#adopted.keys()]) this.#lose(watch);
      this.#sentSeq = following.recent.newest;
    }
  }

  #apply(stored: StoredEvent, accounts: LiveAccounts, startMs: number): void {
    const followed = decoded(stored);
    const over = this.#endedBy(stored, followed.event);
    if (over.length > 0) this.#send(followed.seq - 1, startMs);
    for (const watch of over) {
      if (endsKey(followed.event, watch)) watch.end();
      this.#lose(watch);
    }
    this.#made.push(...accounts.apply(followed));
  }

  #endedBy(stored: StoredEvent, event: ExchangeEvent): readonly AccountWatch[] {
    switch (event.type) {
      case 'OrderPlaced':
        return stored.privateDigest === undefined ? [] : [...(this.#watches.get(event.accountId) ?? [])];
      case 'ApiKeyRevoked':
      case 'SubAccountOpened':
        return [...this.#adopted]
          .filter(([watch, ids]) => endsKey(event, watch) || isBeyond(stored, event, watch, ids))
          .map(([watch]) => watch);
      default:
        return [];
    }
  }

  /** Sends the events made so far, which are all events up to this sequence. */
  #send(upTo: number, startMs: number): void {
    const { bufferedBytesMax, drop, onEvents, trace } = this.settings;
    const texts = byAccount(eventTexts(this.#made));
    onEvents(this.#made.length);
    const sent = new Set(this.#made.map(({ seq }) => seq));
    this.#made = [];
    this.#sentSeq = upTo;
    const watches = new Set([...texts.keys()].flatMap((id) => [...(this.#watches.get(id) ?? [])]));
    for (const watch of watches) {
      if (watch.buffered > bufferedBytesMax) drop(watch);
      else watch.send(textsOf(this.#adopted.get(watch) ?? [], texts), upTo);
    }
    trace?.sent('account', sent, startMs);
  }

  #lose(watch: AccountWatch): void {
    this.leave(watch);
    watch.send([], this.#sentSeq);
    this.settings.onLost(watch);
  }
}

function decoded(stored: StoredEvent): FollowedEvent {
  if (stored.privateDigest === undefined) return decodeEvent(stored);
  // A public event has every field that `LiveAccounts` needs, except in placements.
  const { event, id, seq } = decodePublicEvent(stored);
  return { event: event as ExchangeEvent, id, seq };
}

function endsKey(event: ExchangeEvent, { keyId }: AccountWatch): boolean {
  return event.type === 'ApiKeyRevoked' && event.keyId === keyId;
}

/** Whether only the read models have what an event means for a stream with these accounts. */
function isBeyond(
  { privateDigest }: StoredEvent,
  event: ExchangeEvent,
  { scope }: AccountWatch,
  accountIds: readonly string[],
): boolean {
  if (event.type === 'OrderPlaced') return privateDigest !== undefined && accountIds.includes(event.accountId);
  return event.type === 'SubAccountOpened' && scope === 'fleet';
}
