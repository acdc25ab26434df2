import type { AccountEventBody } from '@paper/contracts/accounts';
import type { PulseBody, PulseEntryBody } from '@paper/contracts/markets';
import type { Clock } from '@paper/timing';
import { LiveBook } from './live-book.ts';
import type { BookStreamEvent, LiveBookView } from './live-book.ts';
import { ACCOUNT, LiveConnection, NOTHING, PULSE, topicsOf } from './live-connection.ts';
import type { Followed, LiveConnectionOptions, Topic, TopicEvent } from './live-connection.ts';
import type { LiveState } from './live-state.ts';
import { StreamTurns } from './stream-turns.ts';
import type { StreamTurnsOptions } from './stream-turns.ts';

/** A part of a page that follows one kind of topic, with its handlers. */
export interface Watcher {
  readonly follows: Partial<Followed>;
  readonly onState: (state: LiveState) => void;
  /** Called with new prices of any market that the tab follows. */
  readonly onPulse?: (entries: readonly PulseEntryBody[]) => void;
  /** Called with the book (null before its first snapshot) and the events since the last call. */
  readonly onBook?: (book: LiveBookView | null, events: readonly BookStreamEvent[]) => void;
  /** Called after events of the account, and when some may have been missed. */
  readonly onAccount?: () => void;
}

type LiveHubOptions = Pick<LiveConnectionOptions, 'timer' | 'fetch'> & Pick<StreamTurnsOptions, 'locks'>;

/** Changes of topics within this time change the connection once. */
const SETTLE_MS = 250;
/** Events of busy streams are collected for this long. */
const FLUSH_MS = 100;

/** Distributes live data to the parts of a page, over the one connection of its tab, while the tab is active. */
export class LiveHub {
  readonly #timer: Pick<Clock, 'after'>;
  readonly #connection: LiveConnection;
  readonly #turns: StreamTurns;
  readonly #watchers = new Map<Watcher, Topic | undefined>();
  /** The books that the page shows, with the events that watchers have not received yet. */
  readonly #books = new Map<Topic, { readonly book: LiveBook; readonly pending: BookStreamEvent[] }>();
  readonly #account = { id: null as string | null, hasChanged: false };
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
      onBegin: (topic, isResumed) => {
        if (topic === ACCOUNT && !isResumed) this.#accountChanged();
      },
    });
    this.#connection.pause();
    this.#turns = new StreamTurns({
      locks,
      timer,
      onBegin: () => this.#connection.resume(),
      onEnd: () => this.#connection.pause(),
    });
  }

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
    for (const { onAccount } of this.#watchers.keys()) onAccount?.();
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
      Object.assign(this.#account, { id: followed.accountId, hasChanged: false });
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
      // Another person may have signed in, in another tab, a moment ago.
      if ((event.data as AccountEventBody).accountId === this.#account.id) this.#accountChanged();
      return;
    }
    const next = event as BookStreamEvent;
    const open = this.#books.get(topic);
    open?.book.apply(next);
    open?.pending.push(next);
    this.#flushSoon();
  }

  #accountChanged(): void {
    this.#account.hasChanged = true;
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
      if (!this.#account.hasChanged) return;
      this.#account.hasChanged = false;
      for (const { onAccount } of this.#watchersOf(ACCOUNT)) onAccount?.();
    });
  }
}

/** Joins the wishes of all parts of the page. The result does not depend on the parts' order. */
function joined(parts: readonly Partial<Followed>[]): Followed {
  return {
    marketIds: [...new Set(parts.flatMap(({ marketIds = [] }) => marketIds))].sort(),
    bookIds: [...new Set(parts.flatMap(({ bookIds = [] }) => bookIds))],
    accountId: parts.flatMap(({ accountId = null }) => accountId ?? [])[0] ?? null,
  };
}
