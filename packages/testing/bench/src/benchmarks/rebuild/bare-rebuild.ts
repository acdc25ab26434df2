import { setImmediate as turn } from 'node:timers/promises';
import { decodeEvent } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { BareFold } from './bare-fold.ts';
import type { BareTables } from './bare-tables.ts';

/** Events that are read at once, as a rebuild does, and those whose rows are written at once. */
const PAGE_SIZE = 1000;
const WRITE_SIZE = 20_000;
/** Events that are folded before sockets are read and written again, so that Postgres never waits for long. */
const TURN_SIZE = 200;

/**
 * A rebuild in plain code: it reads the journal, decodes and folds each event, and copies each row once, into tables
 * without a key or an index. While Postgres writes rows, the next ones are read and folded. Then it makes keys, indexes
 * and statistics.
 */
export async function runBareRebuild(tables: BareTables, journal: Journal, onFilled: () => void): Promise<void> {
  const { seq: end } = await journal.head();
  const fold = new BareFold();
  let writing: Promise<void> = Promise.resolve();
  let reading = journal.read(1, Math.min(PAGE_SIZE, end));
  let unwritten = 0;
  for (let seq = 0; seq < end;) {
    const page = await reading;
    seq += page.length;
    unwritten += page.length;
    if (seq < end) reading = journal.read(seq + 1, Math.min(PAGE_SIZE, end - seq));
    for (const [index, stored] of page.entries()) {
      if (index % TURN_SIZE === 0) await turn();
      fold.apply(decodeEvent(stored));
    }
    if (unwritten < WRITE_SIZE) continue;
    unwritten = 0;
    await writing;
    writing = tables.write(fold.takeFinal());
  }
  await writing;
  await tables.write([...fold.takeFinal(), ...fold.takeRest()]);
  onFilled();
  await tables.finish();
}
