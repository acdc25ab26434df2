import { decode } from '@paper/journal';
import type { Journal } from '@paper/journal';

/** The receipt of an accepted command. */
export interface Receipt {
  readonly request: string;
  readonly seq: number;
  readonly hash: string | null;
  /** One, or the number of successes in a batch. */
  readonly decisionsMax: number;
}

const PAGE = 2_000;

/**
 * Compares the journal with the receipts of commands sent one after the other: every decision must belong to an
 * accepted command, and each receipt must name an event. Returns the number of decisions. @throws Error that names the
 * request
 */
export async function checkReceipts(journal: Pick<Journal, 'read'>, receipts: readonly Receipt[]): Promise<number> {
  const hashes = new Map<number, string>();
  let at = 0;
  let left = receipts[0]?.decisionsMax ?? 0;
  let decisions = 0;
  for (let from = 1; ;) {
    const page = await journal.read(from, PAGE);
    if (page.length === 0) break;
    from += page.length;
    for (const stored of page) {
      hashes.set(stored.seq, stored.hash);
      const { command, decisionEvents } = decode(stored);
      if (command === null || command.by.kind === 'system') continue;
      const end = stored.seq + (decisionEvents ?? 1) - 1;
      while ((receipts[at]?.seq ?? Infinity) < end) {
        at += 1;
        left = receipts[at]?.decisionsMax ?? 0;
      }
      if (left === 0) {
        const before = receipts[at]?.request ?? 'the end';
        throw new Error(
          `event ${stored.seq}, ${command.type}, was accepted, and no request sent it: it came before ${before}`,
        );
      }
      left -= 1;
      decisions += 1;
    }
  }
  for (const { hash, request, seq } of receipts) {
    if (hashes.get(seq) !== hash) throw new Error(`the receipt of ${request} names no event of ${seq}`);
  }
  return decisions;
}
