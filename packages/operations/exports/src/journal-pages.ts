import type { Journal, StoredEvent } from '@paper/journal';

const PAGE = 1_000;

/** The events up to a sequence in pages. The next page is read while the caller uses the present one. */
export async function* pagesUntil(
  journal: Pick<Journal, 'read'>,
  lastSeq: number,
): AsyncGenerator<readonly StoredEvent[], void> {
  const read = (fromSeq: number): Promise<readonly StoredEvent[]> => {
    const page = journal.read(fromSeq, Math.min(PAGE, lastSeq - fromSeq + 1));
    // Handles a rejection that nothing awaits when the consumer stops early.
    page.catch(() => undefined);
    return page;
  };
  let next = read(1);
  for (let seq = 0; seq < lastSeq;) {
    const page = await next;
    if (page.length === 0) throw new Error(`the journal ends at ${seq}, and its head is ${lastSeq}`);
    seq += page.length;
    if (seq < lastSeq) next = read(seq + 1);
    yield page;
  }
}
