import { JournalDamaged } from '@paper/journal';
import type { Journal, StoredEvent } from '@paper/journal';
import { Fault } from './fault.ts';

/** The events of a page: few enough to be freed before the garbage collector promotes them. */
const PAGE = 1_000;

/**
 * Yields the events from `from` to `to` in pages, and reads one page ahead.
 * @throws Fault for an event that cannot be read, after the page that ends before it.
 */
export async function* pagesOf(
  journal: Pick<Journal, 'read'>,
  from: number,
  to: number,
): AsyncGenerator<readonly StoredEvent[]> {
  const fetch = (seq: number): Promise<readonly StoredEvent[]> => {
    const page = seq > to ? Promise.resolve([]) : journal.read(seq, Math.min(PAGE, to - seq + 1));
    // Handles a rejection that nothing awaits when the consumer stops early.
    page.catch(() => undefined);
    return page;
  };
  let seq = from;
  let next = fetch(seq);
  for (;;) {
    const read = await next.catch(damageOf);
    if (read instanceof JournalDamaged) {
      const { firstSeq, message } = read;
      if (firstSeq !== null && firstSeq > seq) yield await journal.read(seq, firstSeq - seq);
      throw new Fault('contiguous sequence', firstSeq ?? seq, null, message, 'events that can be read');
    }
    // If events are missing, a full page extends beyond `to`.
    const page = read.filter((event) => event.seq <= to);
    const last = page.at(-1);
    if (last === undefined) return;
    seq = last.seq + 1;
    next = fetch(seq);
    const hole = page.findIndex((event) => missingIn(event) !== null);
    if (hole < 0) {
      yield page;
    } else {
      yield page.slice(0, hole);
      throw holeFault(page[hole] as StoredEvent);
    }
  }
}

function damageOf(error: unknown): JournalDamaged {
  if (error instanceof JournalDamaged) return error;
  throw error;
}

/** The texts of every event; a table without its constraints may lack some. */
const TEXTS = { hash: 'its hash', id: 'its id', publicText: 'its public text', type: 'its type' } as const;

function missingIn(event: StoredEvent): string | null {
  for (const [name, words] of Object.entries(TEXTS)) {
    if (typeof event[name as keyof typeof TEXTS] !== 'string') return words;
  }
  return null;
}

function holeFault(event: StoredEvent): Fault {
  const { id, seq, type } = event;
  return new Fault('schema', seq, { id, type }, `${missingIn(event) ?? ''} is NULL`, 'a text');
}
