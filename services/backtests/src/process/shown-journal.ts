import { createMemoryJournal, createMemoryLog } from '@paper/journal';
import type { Journal, LogEvents, StoredEvent } from '@paper/journal';
import type { AccountEventSource } from '@paper/read-models';

/** The part of a journal that streams show: what is at least as old as the latency of the feed. */
export interface ShownJournal {
  readonly journal: Journal;
  /** The last event that is shown. */
  readonly seq: () => number;
}

/** `wake` lets its followers look, when more is shown. */
export function createShownJournal(all: LogEvents, seq: () => number): ShownJournal & { readonly wake: () => void } {
  const log = createMemoryLog<LogEvents>({
    get length() {
      return seq();
    },
    at: (index) => (index < seq() ? all.at(index) : undefined),
    push: (): never => {
      throw new Error('what is shown of a journal is only read');
    },
    slice: (from = 0, to = seq()): StoredEvent[] => (from < seq() ? all.slice(from, Math.min(to, seq())) : []),
  });
  return { journal: createMemoryJournal(log), seq, wake: () => log.wakeups.wake() };
}

/** The events of accounts, without those that are not shown yet. */
export function shownAccountEvents(source: AccountEventSource, seq: () => number): AccountEventSource {
  return {
    reached: (seq, timeoutMs) => source.reached(seq, timeoutMs),
    seq: async () => Math.min(await source.seq(), seq()),
    async read(request) {
      const page = await source.read(request);
      const shown = seq();
      if (page.seq <= shown) return page;
      // Its states are those of a later time, so no stream is adopted with them.
      const events = page.events.filter((event) => event.seq <= shown);
      return {
        ...page,
        events,
        seq: shown,
        states: new Map(),
        upTo: Math.max(request.after, Math.min(page.upTo, shown)),
      };
    },
  };
}
