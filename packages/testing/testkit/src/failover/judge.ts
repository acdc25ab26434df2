import type { Command } from '@paper/exchange/commands';
import { EMPTY_HEAD } from '@paper/journal';
import type { Head, Journal } from '@paper/journal';
import { CommandHistory, verifiedPages } from '../command-history.ts';
import type { OrderLoad } from './order-load.ts';

/** Compares the whole journal with all answers so far; each list should be empty. @throws ChainBroken */
export async function judgeFailover(journal: Journal, load: Pick<OrderLoad, 'answered' | 'sent'>) {
  const answered = [...load.answered];
  const duplicated = new Set<string>();
  const invented = new Set<string>();
  const epochs: number[] = [];
  const history = new CommandHistory(keysOf, ({ kind, name }) => (kind === 'twice' ? duplicated : invented).add(name));
  for (const [key, { status }] of answered) if (status !== 200) history.refuse(key, String(status));
  let head: Head = EMPTY_HEAD;
  for await (const page of verifiedPages(journal, EMPTY_HEAD)) {
    head = page.head;
    for (const one of page.events) {
      if (one.event.type === 'WriterEpochStarted') epochs.push(one.event.epoch);
      const decision = history.add(one);
      if (decision === null) continue;
      for (const key of keysOf(decision.command)) if (!load.sent.has(key)) invented.add(key);
    }
  }
  const orderOf = (key: string): string | undefined => {
    const command = history.find(key)?.command;
    return command?.type === 'PlaceOrder' ? command.orderId : undefined;
  };
  return {
    /** Commands that were answered 200, but that the journal lacks or contains as another order. */
    lost: answered.flatMap(([key, { status, orderId }]) => (status === 200 && orderOf(key) !== orderId ? [key] : [])),
    duplicated: [...duplicated],
    /** Commands in the journal that no client sent, or that were refused. */
    invented: [...invented],
    epochs,
    events: head.seq,
  };
}

function keysOf(command: Command): readonly string[] {
  return command.type === 'PlaceOrder' && command.idempotency !== null ? [command.idempotency.key] : [];
}
