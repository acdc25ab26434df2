import type { AccountEventBody, PulseBody, PulseEntryBody } from '@paper/contracts';
import type { Clock } from '@paper/timing';
import { LiveBook, snapshotOf } from './live-book.ts';
import type { BookStreamEvent } from './live-book.ts';
import { LiveConnection } from './live-connection.ts';
import type { TopicEvent } from './live-connection.ts';
import type { LeaderMessage, LiveStates, TabMessage } from './messages.ts';
import { NO_WANTS, planStreams } from './stream-plan.ts';
import type { StreamPlan, Wants } from './stream-plan.ts';
import { ACCOUNT, bookTopic, marketOf, PULSE } from './topics.ts';
import type { Topic } from './topics.ts';

export interface LiveLeaderOptions {
  /** Says something to all tabs, this one too. */
  readonly tell: (message: LeaderMessage) => void;
  readonly timer: Pick<Clock, 'after'>;
  readonly fetch: typeof fetch;
}

/** A book that tabs show, with events that were not said yet. */
interface OpenBook {
  readonly book: LiveBook;
  readonly pending: BookStreamEvent[];
}

/** The account that tabs show, with events that were not said yet. */
interface OpenAccount {
  readonly accountId: string;
  readonly pending: AccountEventBody[];
  isGap: boolean;
}

/** Changes of what tabs want within this time make one change of the connection. */
const SETTLE_MS = 250;
/** Events of busy streams are said together this often. */
const FLUSH_MS = 100;
/** A tab says what it wants at least every `WANTS_EVERY_MS`; one that crashed does not. */
const TAB_SILENT_MS = 30_000;
export const WANTS_EVERY_MS = 10_000;

/** Holds the connection of all tabs, and says to all what comes in. */
export class LiveLeader {
  readonly #options: LiveLeaderOptions;
  /** The tab that changed its wants last is the last. */
  readonly #tabs = new Map<string, { readonly wants: Wants; readonly cancelSilence: () => void }>();
  readonly #connection: LiveConnection;
  readonly #books = new Map<string, OpenBook>();
  #account: OpenAccount | null = null;
  #latest = new Map<string, PulseEntryBody>();
  #plan: StreamPlan = planStreams([]);
  #cancelSettle: (() => void) | null = null;
  #cancelFlush: (() => void) | null = null;

  constructor(options: LiveLeaderOptions) {
    this.#options = options;
    const { timer, fetch } = options;
    this.#connection = new LiveConnection({
      timer,
      fetch,
      onEvent: (topic, event) => this.#event(topic, event),
      onState: () => this.#sayStates(),
      onBegin: (topic, isResumed) => this.#began(topic, isResumed),
    });
  }

  /** Takes what a tab says. */
  take(message: TabMessage): void {
    const { tab } = message;
    const before = this.#tabs.get(tab);
    before?.cancelSilence();
    const wants = message.kind === 'wants' ? message.wants : NO_WANTS;
    const hasChanged = JSON.stringify(before?.wants ?? NO_WANTS) !== JSON.stringify(wants);
    if (message.kind === 'gone' || hasChanged) this.#tabs.delete(tab);
    if (message.kind === 'wants') {
      const cancelSilence = this.#options.timer.after(TAB_SILENT_MS, () => this.take({ kind: 'gone', tab }));
      this.#tabs.set(tab, { wants, cancelSilence });
      if (before === undefined || hasChanged) this.#sayLatest(wants);
    }
    if (hasChanged) this.#settle();
  }

  /** Connects at once where the connection waits to. */
  retryNow(): void {
    this.#connection.retryNow();
  }

  /** Ends the connection. */
  stop(): void {
    this.#cancelSettle?.();
    this.#cancelFlush?.();
    for (const { cancelSilence } of this.#tabs.values()) cancelSilence();
    this.#connection.close();
  }

  /** For a tab that is new or wants more: what is known already. */
  #sayLatest({ marketIds, bookIds }: Wants): void {
    const entries = marketIds.flatMap((id) => this.#latest.get(id) ?? []);
    if (entries.length > 0) this.#options.tell({ kind: 'pulse', entries });
    for (const marketId of bookIds) {
      const view = this.#books.get(marketId)?.book.view ?? null;
      if (view !== null) this.#options.tell({ kind: 'book', marketId, events: [snapshotOf(view)] });
    }
    this.#sayStates();
  }

  #settle(): void {
    this.#cancelSettle ??= this.#options.timer.after(SETTLE_MS, () => {
      this.#cancelSettle = null;
      this.#follow(planStreams([...this.#tabs.values()].map(({ wants }) => wants).reverse()));
    });
  }

  /** Makes the connection that of the plan. */
  #follow(plan: StreamPlan): void {
    this.#plan = plan;
    const { accountId, bookIds, marketIds } = plan;
    const streamed = new Set(marketIds);
    this.#latest = new Map([...this.#latest].filter(([id]) => streamed.has(id)));
    for (const id of this.#books.keys()) if (!bookIds.includes(id)) this.#books.delete(id);
    for (const id of bookIds) if (!this.#books.has(id)) this.#books.set(id, { book: new LiveBook(), pending: [] });
    if (this.#account?.accountId !== accountId) {
      this.#account = accountId === null ? null : { accountId, pending: [], isGap: false };
    }
    this.#connection.follow({ accountId, bookIds, marketIds });
    this.#sayStates();
  }

  #event(topic: Topic, event: TopicEvent): void {
    if (topic === PULSE) {
      const { markets } = event.data as PulseBody;
      for (const entry of markets) this.#latest.set(entry.id, entry);
      this.#options.tell({ kind: 'pulse', entries: markets });
      return;
    }
    if (topic === ACCOUNT) {
      const data = event.data as AccountEventBody;
      // Another person may have signed in, in another tab, a moment ago.
      if (data.accountId !== this.#account?.accountId) return;
      this.#account.pending.push(data);
    } else {
      const open = this.#books.get(marketOf(topic) ?? '');
      const next = event as BookStreamEvent;
      open?.book.apply(next);
      open?.pending.push(next);
    }
    this.#flushSoon();
  }

  #began(topic: Topic, isResumed: boolean): void {
    if (topic !== ACCOUNT || isResumed || this.#account === null) return;
    this.#account.isGap = true;
    this.#flushSoon();
  }

  #flushSoon(): void {
    this.#cancelFlush ??= this.#options.timer.after(FLUSH_MS, () => {
      this.#cancelFlush = null;
      for (const [marketId, { pending }] of this.#books) {
        if (pending.length > 0) this.#options.tell({ kind: 'book', marketId, events: pending.splice(0) });
      }
      const account = this.#account;
      if (account === null || (account.pending.length === 0 && !account.isGap)) return;
      const { accountId, isGap, pending } = account;
      account.isGap = false;
      this.#options.tell({ kind: 'account', accountId, events: pending.splice(0), isGap });
    });
  }

  #sayStates(): void {
    const connection = this.#connection;
    const states: LiveStates = {
      pulse: connection.stateOf(PULSE),
      books: Object.fromEntries([...this.#books.keys()].map((id) => [id, connection.stateOf(bookTopic(id))])),
      account: connection.stateOf(ACCOUNT),
      isCrowded: this.#plan.isCrowded,
    };
    this.#options.tell({ kind: 'states', states });
  }
}
