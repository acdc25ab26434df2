import type { AccountEventBody, PulseBody, PulseEntryBody } from '@paper/contracts';
import type { Clock } from '@paper/timing';
import { LiveBook, snapshotOf } from './live-book.ts';
import type { BookStreamEvent } from './live-book.ts';
import { CONNECTING } from './live-state.ts';
import type { LiveState } from './live-state.ts';
import { LiveStream } from './live-stream.ts';
import type { LiveStreamOptions } from './live-stream.ts';
import type { LeaderMessage, LiveStates, TabMessage } from './messages.ts';
import { NO_WANTS, planStreams } from './stream-plan.ts';
import type { StreamPlan, Wants } from './stream-plan.ts';

export interface LiveLeaderOptions {
  /** Says something to all tabs, this one too. */
  readonly tell: (message: LeaderMessage) => void;
  readonly timer: Pick<Clock, 'after'>;
  readonly fetch: typeof fetch;
}

/** A connection, and what is known of it. */
interface Open {
  readonly stream: LiveStream;
  state: LiveState;
}

/** A book with its connection. */
interface OpenBook extends Open {
  readonly book: LiveBook;
  /** Events that were not said yet. */
  pending: BookStreamEvent[];
}

/** Pulses come every 2 s. */
const PULSE_SILENT_MS = 8_000;
/** Other streams have a comment every 15 s. */
const SILENT_MS = 40_000;
/** Changes of what tabs want within this time make one change of connections. */
const SETTLE_MS = 150;
/** Events of busy streams are said together this often. */
const FLUSH_MS = 100;
/** A tab says what it wants at least every `WANTS_EVERY_MS`; one that crashed does not. */
const TAB_SILENT_MS = 30_000;
export const WANTS_EVERY_MS = 10_000;

/** Holds the connections of all tabs, and says to all what comes in. */
export class LiveLeader {
  readonly #options: LiveLeaderOptions;
  /** The tab that changed its wants last is the last. */
  readonly #tabs = new Map<string, { readonly wants: Wants; readonly cancelSilence: () => void }>();
  readonly #pulses = new Map<string, Open>();
  readonly #books = new Map<string, OpenBook>();
  #account: (Open & { readonly accountId: string; pending: AccountEventBody[]; isGap: boolean }) | null = null;
  #latest = new Map<string, PulseEntryBody>();
  #plan: StreamPlan = planStreams([]);
  #cancelSettle: (() => void) | null = null;
  #cancelFlush: (() => void) | null = null;

  constructor(options: LiveLeaderOptions) {
    this.#options = options;
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

  /** Connects at once where a connection waits to. */
  retryNow(): void {
    for (const { stream } of this.#all()) stream.retryNow();
  }

  /** Ends all connections. */
  stop(): void {
    this.#cancelSettle?.();
    this.#cancelFlush?.();
    for (const { cancelSilence } of this.#tabs.values()) cancelSilence();
    for (const { stream } of this.#all()) stream.close();
  }

  #all(): readonly Open[] {
    return [...this.#pulses.values(), ...this.#books.values(), ...(this.#account === null ? [] : [this.#account])];
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

  /** Opens and closes connections, so that they are those of the plan. */
  #follow(plan: StreamPlan): void {
    this.#plan = plan;
    this.#followPulses();
    for (const [marketId, { stream }] of this.#books) {
      if (plan.bookIds.includes(marketId)) continue;
      stream.close();
      this.#books.delete(marketId);
    }
    for (const marketId of plan.bookIds) if (!this.#books.has(marketId)) this.#openBook(marketId);
    if (this.#account?.accountId !== plan.accountId) {
      this.#account?.stream.close();
      this.#account = null;
      if (plan.accountId !== null) this.#openAccount(plan.accountId);
    }
    this.#sayStates();
  }

  #followPulses(): void {
    const wanted = new Map(this.#plan.pulses.map((ids) => [ids.join(','), ids]));
    for (const [key, { stream }] of this.#pulses) {
      if (wanted.has(key)) continue;
      stream.close();
      this.#pulses.delete(key);
    }
    const streamed = new Set(this.#plan.pulses.flat());
    this.#latest = new Map([...this.#latest].filter(([id]) => streamed.has(id)));
    for (const [key, ids] of wanted) if (!this.#pulses.has(key)) this.#openPulse(key, ids);
  }

  #openPulse(key: string, marketIds: readonly string[]): void {
    const open = this.#open(`/api/stream?marketIds=${encodeURIComponent(marketIds.join(','))}`, {
      silentMs: PULSE_SILENT_MS,
      onEvent: ({ data }) => {
        const { markets } = data as PulseBody;
        for (const entry of markets) this.#latest.set(entry.id, entry);
        this.#options.tell({ kind: 'pulse', entries: markets });
      },
    });
    this.#pulses.set(key, open);
  }

  #openBook(marketId: string): void {
    const book = new LiveBook();
    const pending: BookStreamEvent[] = [];
    const open = this.#open(`/api/stream/orderbook/${encodeURIComponent(marketId)}`, {
      silentMs: SILENT_MS,
      onEvent: (event) => {
        const next = event as BookStreamEvent;
        book.apply(next);
        pending.push(next);
        this.#flushSoon();
      },
    });
    this.#books.set(marketId, Object.assign(open, { book, pending }));
  }

  #openAccount(accountId: string): void {
    const pending: AccountEventBody[] = [];
    const open = this.#open('/portal/as/me/stream/account', {
      silentMs: SILENT_MS,
      onEvent: ({ data }) => {
        const event = data as AccountEventBody;
        // Another person may have signed in, in another tab, a moment ago.
        if (event.accountId !== accountId) return;
        pending.push(event);
        this.#flushSoon();
      },
      onBegin: (isResumed) => {
        if (isResumed || this.#account === null) return;
        this.#account.isGap = true;
        this.#flushSoon();
      },
    });
    this.#account = Object.assign(open, { accountId, pending, isGap: false });
  }

  #open(
    url: string,
    options: Pick<LiveStreamOptions, 'silentMs' | 'onEvent'> & Partial<Pick<LiveStreamOptions, 'onBegin'>>,
  ): Open {
    const { timer, fetch } = this.#options;
    const known = { state: CONNECTING };
    const stream = new LiveStream({
      ...options,
      url,
      timer,
      fetch,
      onState: (state) => {
        known.state = state;
        this.#sayStates();
      },
    });
    return Object.assign(known, { stream });
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
    const states: LiveStates = {
      pulse: worst([...this.#pulses.values()]),
      books: Object.fromEntries([...this.#books].map(([id, { state }]) => [id, state])),
      account: this.#account?.state ?? CONNECTING,
      isCrowded: this.#plan.isCrowded,
    };
    this.#options.tell({ kind: 'states', states });
  }
}

/** The state of several connections that serve one list. */
function worst(opens: readonly Open[]): LiveState {
  const states = opens.map(({ state }) => state);
  return (
    states.find(({ kind }) => kind === 'reconnecting') ??
    states.find(({ kind }) => kind === 'connecting') ??
    states[0] ??
    CONNECTING
  );
}
