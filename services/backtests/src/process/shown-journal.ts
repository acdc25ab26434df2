import type { LogEvents, StoredEvent } from '@paper/journal';
import type { AccountEventSource, Progress } from '@paper/read-models';

/** The first events of a journal, as many as streams show now. */
export function shownEvents(all: LogEvents, seq: () => number): LogEvents {
  return {
    get length() {
      return seq();
    },
    at: (index) => (index < seq() ? all.at(index) : undefined),
    push: (): never => {
      throw new Error('what is shown of a journal is only read');
    },
    slice: (from = 0, to = seq()): StoredEvent[] => (from < seq() ? all.slice(from, Math.min(to, seq())) : []),
  };
}

export function shownAccountEvents(source: AccountEventSource, shownUpTo: Progress): AccountEventSource {
  return {
    reached: async (seq, timeoutMs) =>
      (await shownUpTo.reached(seq, timeoutMs)) && (await source.reached(seq, timeoutMs)),
    seq: async () => Math.min(await source.seq(), shownUpTo.seq),
    async read(request) {
      const page = await source.read(request);
      const shown = shownUpTo.seq;
      if (page.seq <= shown) return page;
      // The states of the page are those of a later time, so no stream may start from them.
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
