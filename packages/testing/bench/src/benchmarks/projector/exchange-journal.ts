import { createState } from '@paper/exchange';
import { createMemoryJournal, EMPTY_HEAD, encodeDecision } from '@paper/journal';
import type { Head, Journal } from '@paper/journal';
import { createBenchWorkload, run } from '../exchange/workload.ts';

const SEED = 20_261;
const RESTING = 4_000;
const SALT = 'ab'.repeat(16);

/** A journal in memory with the decisions on this many orders and cancels, and its head. */
export async function exchangeJournal(commands: number): Promise<{ readonly journal: Journal; readonly head: Head }> {
  const { setup, fill, timed } = createBenchWorkload(SEED, RESTING, { levels: 10, tickUnits: 100 }, [0, commands]);
  const journal = createMemoryJournal();
  const state = createState();
  let head = EMPTY_HEAD;
  for (const command of [...setup, ...fill.map((step) => step.command), ...timed.map((step) => step.command)]) {
    const events = run(state, command);
    if (events === null) throw new Error(`the exchange refused ${command.type}`);
    const encoded = encodeDecision({ command, events, head, salt: SALT });
    await journal.append(head, encoded.stored);
    ({ head } = encoded);
  }
  return { journal, head };
}
