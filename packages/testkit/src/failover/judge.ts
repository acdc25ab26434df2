import { checkChain, decode, EMPTY_HEAD, type Head, type Journal } from '@paper/journal';
import type { OrderLoad } from './order-load.ts';

/** The differences between a journal and the answers that a load's clients got. Each list should be empty. */
export interface FailoverVerdict {
  /** Keys of commands that were answered 200 and are not in the journal, or are another order there. */
  readonly lost: readonly string[];
  /** Keys of commands that are in the journal more than once. */
  readonly duplicated: readonly string[];
  /** Keys of commands in the journal that no client sent, or that were refused. */
  readonly invented: readonly string[];
  /** The journal's epochs, in its order. */
  readonly epochs: readonly number[];
  readonly events: number;
}

/**
 * Reads the whole journal. Every answer given so far must be in it; the load may go on.
 * @throws ChainBroken.
 */
export async function judgeFailover(
  journal: Journal,
  load: Pick<OrderLoad, 'answered' | 'sent'>,
): Promise<FailoverVerdict> {
  const answered = [...load.answered];
  const stored = new Map<string, string[]>();
  const epochs: number[] = [];
  let head: Head = EMPTY_HEAD;
  for (;;) {
    const page = await journal.read(head.seq + 1, 5_000);
    if (page.length === 0) break;
    head = checkChain(head, page);
    for (const { command, event } of page.map(decode)) {
      if (event.type === 'WriterEpochStarted') epochs.push(event.epoch);
      if (command?.type !== 'PlaceOrder' || command.idempotency === null) continue;
      const { key } = command.idempotency;
      stored.set(key, [...(stored.get(key) ?? []), command.orderId]);
    }
  }
  const refused = new Set(answered.flatMap(([key, { status }]) => (status === 200 ? [] : [key])));
  return {
    lost: answered.flatMap(([key, { status, orderId }]) =>
      status === 200 && stored.get(key)?.[0] !== orderId ? [key] : [],
    ),
    duplicated: [...stored].flatMap(([key, orders]) => (orders.length > 1 ? [key] : [])),
    invented: [...stored.keys()].filter((key) => !load.sent.has(key) || refused.has(key)),
    epochs,
    events: head.seq,
  };
}
