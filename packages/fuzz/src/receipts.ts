import { decode, type Journal } from '@paper/journal';

/** What a client was told of a command that was accepted. */
export interface Receipt {
  /** Which request it was, for people. */
  readonly request: string;
  readonly seq: number;
  readonly hash: string | null;
  /** Decisions that it may have left: of a batch as many as succeeded, else one. */
  readonly decisionsMax: number;
}

const PAGE = 2_000;

/**
 * Holds the journal against what was answered, where one command was sent after the other: every decision is that of an
 * accepted command, so one that was answered with an error has left nothing; and each receipt names the event that
 * stands there. Gives how many decisions there were.
 *
 * @throws Error that names the request
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
        throw new Error(`event ${stored.seq}, ${command.type}, was accepted from nobody: it came before ${before}`);
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
