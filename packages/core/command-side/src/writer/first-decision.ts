import type { ExchangeEvent } from '@paper/exchange/events';
import { decode } from '@paper/journal';
import type { Head, Journal } from '@paper/journal';

/** Reads the events of the decision that begins at this sequence, and the sequence and hash of its last event. */
export async function readDecision(
  journal: Journal,
  seq: number,
): Promise<{ readonly events: readonly ExchangeEvent[]; readonly head: Head }> {
  const [stored] = await journal.read(seq, 1);
  const first = stored === undefined ? undefined : decode(stored);
  if (first?.seq !== seq || first.decisionEvents === null) throw new Error(`no decision begins at sequence ${seq}`);
  const count = first.decisionEvents;
  const rest = count > 1 ? await journal.read(seq + 1, count - 1) : [];
  if (rest.length !== count - 1) throw new Error(`the decision at sequence ${seq} is cut short`);
  const { hash } = rest.at(-1) ?? first;
  return { events: [first.event, ...rest.map((event) => decode(event).event)], head: { hash, seq: seq + count - 1 } };
}
