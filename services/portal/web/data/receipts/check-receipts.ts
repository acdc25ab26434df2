import { Fault, Unchecked, Verification } from '@paper/client-files/verify-journal';
import type { Expected, Head, PublicEvent } from '@paper/client-files/verify-journal';
import { fetchJournalPage, newestSequence } from './journal-page.ts';
import type { JournalAccess } from './journal-page.ts';
import { comparedWithJournal } from './order-in-journal.ts';
import type { CheckedReceipt } from './receipt.ts';
import type { SignedHead } from './signed-head.ts';

/** More events are checked only if the person agrees. */
export const EVENTS_AT_ONCE = 50_000;

export interface CheckRequest {
  readonly receipts: readonly CheckedReceipt[];
  /** A head (the journal's last event, signed) to check against; null: the check ends with the newest event. */
  readonly head: SignedHead | null;
  readonly isLong: boolean;
}

export type CheckProgress = Readonly<{ checked: number; total: number }>;

export type CheckResult = PassedCheck | { readonly kind: 'needs long'; readonly events: number } | Failed;

/** Every receipt is in the journal, which is complete from the event `after` to `last`. */
export interface PassedCheck {
  readonly kind: 'holds';
  /** The last event before the checked ones; its sequence is 0 if the check began with the first event. */
  readonly after: Head;
  readonly last: Head;
  readonly events: number;
  readonly head: SignedHead | null;
  readonly orders: readonly string[];
}

export interface Failed {
  /** `fault`: the journal, a receipt or the head is wrong. `unchecked`: the check could not be completed. */
  readonly kind: 'fault' | 'unchecked';
  readonly message: string;
}

/** The last digits of an event's id are the event's index in its decision (the events of one command). */
const INDEX_DIGITS = 3;

/** Checks receipts against the journal, from the oldest receipt's decision to the signed head or the newest event. */
export async function checkReceipts(
  request: CheckRequest,
  access: JournalAccess,
  onProgress: (progress: CheckProgress) => void,
): Promise<CheckResult> {
  try {
    return await check(request, access, onProgress);
  } catch (error) {
    if (error instanceof Fault) return { kind: 'fault', message: error.message };
    if (error instanceof Unchecked) return { kind: 'unchecked', message: error.message };
    throw error;
  }
}

async function check(
  { receipts, head, isLong }: CheckRequest,
  access: JournalAccess,
  onProgress: (progress: CheckProgress) => void,
): Promise<CheckResult> {
  const after = await eventBeforeOldest(receipts, access);
  const newestReceipt = Math.max(...receipts.map(({ seq }) => seq));
  const until = head !== null && head.seq >= newestReceipt ? head.seq : await newestSequence(access);
  const total = until - after.seq;
  if (total > EVENTS_AT_ONCE && !isLong) return { kind: 'needs long', events: total };
  const expected: Expected[] = receipts.map(({ hash, seq }) => ({ hash, seq }));
  if (head !== null && head.seq >= after.seq) {
    expected.push({ hash: head.hash, seq: head.seq, name: 'the signed head' });
  }
  const verification = new Verification(after, expected);
  const decisions = await readTo(until, verification, new Set(receipts.map(({ seq }) => seq)), access, (checked) =>
    onProgress({ checked, total }),
  );
  verification.verdict();
  return {
    kind: 'holds',
    after,
    last: verification.chain.head,
    events: verification.lines,
    head: head !== null && head.seq >= after.seq ? head : null,
    orders: receipts.map((receipt) => comparedWithJournal(receipt, decisions.get(receipt.seq) ?? [])),
  };
}

/** The event before the oldest receipt's decision. Its hash needs no check: the receipt's hash is made from it. */
async function eventBeforeOldest(receipts: readonly CheckedReceipt[], access: JournalAccess): Promise<Head> {
  const oldest = Math.min(...receipts.map(({ seq }) => seq));
  const { lines } = await fetchJournalPage(access, oldest, 1);
  const first = oldest - indexOf(lineOf(lines[0], oldest));
  if (first <= 1) return { hash: '0'.repeat(64), seq: 0 };
  const before = await fetchJournalPage(access, first - 1, 1);
  const { hash, seq } = lineOf(before.lines[0], first - 1);
  return { hash, seq };
}

type Line = Head & Readonly<{ id: string }>;

function lineOf(text: string | undefined, seq: number): Line {
  if (text === undefined) throw new Fault(`the journal ends before event ${seq}, of which a receipt speaks`);
  let line: Partial<Line>;
  try {
    line = JSON.parse(text) as Partial<Line>;
  } catch {
    throw new Fault(`the line of event ${seq} is not JSON`);
  }
  if (line.seq !== seq || typeof line.id !== 'string' || !/^[0-9a-f]{64}$/.test(line.hash ?? '')) {
    throw new Fault(`where event ${seq} must be, the journal has no such event`);
  }
  return line as Line;
}

function indexOf({ id }: Line): number {
  const index = Number.parseInt(id.slice(-INDEX_DIGITS), 16);
  return Number.isNaN(index) ? 0 : index;
}

/** Reads events up to `until` and the end of its decision. Returns the decisions of the wanted events by sequence. */
async function readTo(
  until: number,
  verification: Verification,
  wanted: ReadonlySet<number>,
  access: JournalAccess,
  onRead: (checked: number) => void,
): Promise<ReadonlyMap<number, readonly PublicEvent[]>> {
  const decisions = new Map<number, readonly PublicEvent[]>();
  let decision: PublicEvent[] = [];
  const { chain } = verification;
  for (let hasMore = true; hasMore && (chain.head.seq < until || chain.lacking > 0);) {
    const page = await fetchJournalPage(access, chain.head.seq + 1);
    for (const line of page.lines) {
      const event = checkLine(verification, line);
      if (event.decisionEvents !== undefined) decision = [];
      decision.push(event);
      if (wanted.has(event.seq)) decisions.set(event.seq, [...decision]);
      if (chain.head.seq >= until && chain.lacking === 0) break;
    }
    if (page.hasMore && page.lines.length === 0) {
      throw new Unchecked('the journal answers an empty page, and says that there is more');
    }
    hasMore = page.hasMore;
    onRead(verification.lines);
  }
  return decisions;
}

/** Checks a line. A fault names the event instead of a line number, which only a file has. */
function checkLine(verification: Verification, line: string): PublicEvent {
  const seq = verification.chain.head.seq + 1;
  try {
    return verification.take(line);
  } catch (error) {
    if (error instanceof Fault) error.message = error.message.replace(/^line \d+: /, `at event ${seq}: `);
    throw error;
  }
}
