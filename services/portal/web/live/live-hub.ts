import type { AccountEventBody } from '@paper/contracts/accounts';
import type { PulseBody, PulseEntryBody } from '@paper/contracts/markets';
import type { Clock } from '@paper/timing';
import { LiveBook } from './live-book.ts';
import type { BookStreamEvent, LiveBookView } from './live-book.ts';
import { LiveConnection, NOTHING, topicsOf } from './live-connection.ts';
import type { Followed, TopicEvent } from './live-connection.ts';
import type { LiveState } from './live-state.ts';
import { StreamTurns } from './stream-turns.ts';
import type { Locks } from './stream-turns.ts';
import { ACCOUNT, PULSE } from './topics.ts';
import type { Topic } from './topics.ts';

/** A part of a page: the one kind of topic that it follows, and its handlers. */
export interface Watcher {
  readonly follows: Partial<Followed>;
  readonly onState: (state: LiveState) => void;
  /** The prices of all markets that the tab follows. */
  readonly onPulse?: (entries: readonly PulseEntryBody[]) => void;
  /** Null before the first snapshot; with the events since the last call. */
  readonly onBook?: (book: LiveBookView | null, events: readonly BookStreamEvent[]) => void;
  /** `isGap`: events before these may be missing. */
  readonly onAccount?: (events: readonly AccountEventBody[], isGap: boolean) => void;
}

export interface LiveHubOptions {
  readonly locks: Locks | null;
  readonly timer: Pick<Clock, 'after'>;
  readonly fetch: typeof fetch;
}

/** A book that the page shows, with the events that watchers have not received yet. */
interface OpenBook {
  readonly book: LiveBook;
  readonly pending: BookStreamEvent[];
}

/** Changes of topics within this time change the connection once. */
const SETTLE_MS = 250;
/** Events of busy streams are passed on together, this often. */
const FLUSH_MS = 100;

/**
 * Distributes live data to the parts of a page, over the one connection of its tab; none while the tab is not active.
 */
export class LiveHub {
  readonly #timer: Pick<Clock, 'after'>;
  readonly #connection: LiveConnection;
  readonly #turns: StreamTurns;
  readonly #watchers = new Map<Watcher, Topic | undefined>();
  readonly #books = new Map<Topic, OpenBook>();
  readonly #account = { id: null as string | null, pending: [] as AccountEventBody[], isGap: false };
  #latest = new Map<string, PulseEntryBody>();
  #isActive = false;
  #cancelSettle: (() => void) | null = null;
  #cancelFlush: (() => void) | null = null;

  constructor({ fetch, locks, timer }: LiveHubOptions) {
    this.#timer = timer;
    this.#connection = new LiveConnection({
      timer,
      fetch,
      onEvent: (topic, event) => this.#take(topic, event),
      onState: (topic, state) => {
        for (const { onState } of this.#watchersOf(topic)) onState(state);
      },
      onBegin: (topic, isResumed) => this.#begin(topic, isResumed),
    });
    this.#connection.pause();
    this.#turns = new StreamTurns({
      locks,
      timer,
      onBegin: () => this.#connection.resume(),
      onEnd: () => this.#connection.pause(),
    });
  }

  /** Adds a watcher until the returned function is called. */
  watch(watcher: Watcher): () => void {
    const [topic] = topicsOf({ ...NOTHING, ...watcher.follows });
    this.#watchers.set(watcher, topic);
    this.#showLatest(watcher, topic);
    this.#settle();
    return () => {
      this.#watchers.delete(watcher);
      this.#settle();
    };
  }

  activate(): void {
    if (this.#isActive) return;
    this.#isActive = true;
    this.#settle();
    // Events were missed while the tab was not active.
    for (const { onAccount } of this.#watchers.keys()) onAccount?.([], true);
  }

  deactivate(): void {
    this.#isActive = false;
    this.#follow();
  }

  retryNow(): void {
    this.#connection.retryNow();
  }

  #watchersOf(topic: Topic): readonly Watcher[] {
    return [...this.#watchers].flatMap(([watcher, watched]) => (watched === topic ? [watcher] : []));
  }

  #showLatest({ follows, onBook, onPulse, onState }: Watcher, topic: Topic = PULSE): void {
    onState(this.#connection.stateOf(topic));
    const entries = (follows.marketIds ?? []).flatMap((id) => this.#latest.get(id) ?? []);
    if (entries.length > 0) onPulse?.(entries);
    const view = this.#books.get(topic)?.book.view ?? null;
    if (view !== null) onBook?.(view, []);
  }

  #settle(): void {
    this.#cancelSettle ??= this.#timer.after(SETTLE_MS, () => this.#follow());
  }

  #follow(): void {
    this.#cancelSettle?.();
    this.#cancelSettle = null;
    const followed = this.#isActive ? joined([...this.#watchers.keys()].map(({ follows }) => follows)) : NOTHING;
    const topics = topicsOf(followed);
    this.#latest = new Map([...this.#latest].filter(([id]) => followed.marketIds.includes(id)));
    for (const topic of this.#books.keys()) if (!topics.includes(topic)) this.#books.delete(topic);
    for (const topic of topics) {
      if (topic === PULSE || topic === ACCOUNT || this.#books.has(topic)) continue;
      this.#books.set(topic, { book: new LiveBook(), pending: [] });
    }
    if (this.#account.id !== followed.accountId) {
      Object.assign(this.#account, { id: followed.accountId, pending: [], isGap: false });
    }
    this.#connection.follow(followed);
    if (topics.length > 0) this.#turns.start();
    else this.#turns.stop();
  }

  #take(topic: Topic, event: TopicEvent): void {
    if (topic === PULSE) {
      const { markets } = event.data as PulseBody;
      for (const entry of markets) this.#latest.set(entry.id, entry);
      for (const { onPulse } of this.#watchersOf(PULSE)) onPulse?.(markets);
      return;
    }
    if (topic === ACCOUNT) {
      const data = event.data as AccountEventBody;
      // Another person may have signed in, in another tab, a moment ago.
      if (data.accountId !== this.#account.id) return;
      this.#account.pending.push(data);
    } else {
      const next = event as BookStreamEvent;
      const open = this.#books.get(topic);
      open?.book.apply(next);
      open?.pending.push(next);
    }
    this.#flushSoon();
  }

  #begin(topic: Topic, isResumed: boolean): void {
    if (topic !== ACCOUNT || isResumed) return;
    this.#account.isGap = true;
    this.#flushSoon();
  }

  #flushSoon(): void {
    this.#cancelFlush ??= this.#timer.after(FLUSH_MS, () => {
      this.#cancelFlush = null;
      for (const [topic, { book, pending }] of this.#books) {
        if (pending.length === 0) continue;
        const events = pending.splice(0);
        for (const { onBook } of this.#watchersOf(topic)) onBook?.(book.view, events);
      }
      const { isGap, pending } = this.#account;
      if (pending.length === 0 && !isGap) return;
      this.#account.isGap = false;
      const events = pending.splice(0);
      for (const { onAccount } of this.#watchersOf(ACCOUNT)) onAccount?.(events, isGap);
    });
  }
}

/** Their order does not depend on that of the parts. */
function joined(parts: readonly Partial<Followed>[]): Followed {
  return {
    marketIds: unique(parts.flatMap(({ marketIds = [] }) => marketIds)).sort(),
    bookIds: unique(parts.flatMap(({ bookIds = [] }) => bookIds)),
    accountId: parts.flatMap(({ accountId = null }) => accountId ?? [])[0] ?? null,
  };
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
