import { createState, evolve, marketView } from '@paper/exchange';
import type { State } from '@paper/exchange';
import type { ExchangeEvent } from '@paper/exchange/events';
import { decode } from '@paper/journal';
import type { JournalEvent } from '@paper/journal';
import type { SimulatedJournal } from '@paper/testkit';

/** All events of a journal, as if its time had gone this many times faster: a few commands fill days. */
export async function stretchedEvents(simulated: SimulatedJournal, factor: number): Promise<JournalEvent[]> {
  const stored = await simulated.journal.read(1, simulated.head.seq);
  const [first] = stored.map(decode);
  if (first === undefined) return [];
  return stored.map((one) => {
    const journaled = decode(one);
    const at = first.event.at + (journaled.event.at - first.event.at) * factor;
    return { ...journaled, event: { ...journaled.event, at } };
  });
}

/** An event, with the probability of its market (half units; null for none) just before and just after it. */
export interface Watched {
  readonly seq: number;
  readonly id: string;
  readonly event: ExchangeEvent;
  readonly before: number | null;
  readonly after: number | null;
}

/** Plays events into an exchange and watches its markets: what a projection must equal. */
export function watch(events: readonly JournalEvent[]): {
  readonly watched: readonly Watched[];
  readonly state: State;
} {
  const state = createState();
  const watched = events.map(({ event, command, seq, id }) => {
    const marketId = 'marketId' in event ? event.marketId : null;
    const probability = (): number | null =>
      marketId === null ? null : (marketView(state, marketId)?.probabilityHalfUnits ?? null);
    const before = probability();
    evolve(state, event, command);
    return { seq, id, event, before, after: probability() };
  });
  return { watched, state };
}
