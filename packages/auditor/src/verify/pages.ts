import type { Journal, StoredEvent } from '@paper/journal';

/** Events of a page: few enough to be gone before the garbage collector copies them, and yet a round trip for many. */
const PAGE = 1_000;

/** The events from `from` to `to` in pages; the next one is on its way while one is looked at. */
export async function* pagesOf(
  journal: Pick<Journal, 'read'>,
  from: number,
  to: number,
): AsyncGenerator<readonly StoredEvent[]> {
  const fetch = (seq: number): Promise<readonly StoredEvent[]> => {
    const page = seq > to ? Promise.resolve([]) : journal.read(seq, Math.min(PAGE, to - seq + 1));
    // Whoever stops half-way does not come for it any more.
    page.catch(() => undefined);
    return page;
  };
  let next = fetch(from);
  for (;;) {
    // Where events are missing, as many as there should be go beyond the last.
    const page = (await next).filter(({ seq }) => seq <= to);
    const last = page.at(-1);
    if (last === undefined) return;
    next = fetch(last.seq + 1);
    yield page;
  }
}
