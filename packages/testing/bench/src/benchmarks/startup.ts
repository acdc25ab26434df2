import { parseArgs } from 'node:util';
import { SnapshotStore, takeSnapshot } from '@paper/command-side';
import { createPostgresJournal } from '@paper/journal';
import { figure, inTurns, medianBy, printBar, printTable, seconds, startPostgres } from '../index.ts';
import { fillJournal } from '../fixtures/journal.ts';
import { compareFirstStarts } from './startup/first-start.ts';
import { measureStart } from './startup/service-start.ts';
import type { ServiceStart } from './startup/service-start.ts';

/**
 * Measures the time from the spawn of a `command-api` to its first command, folded from the first event and from a
 * snapshot with 10,000 events after it. Then measures the first start of `npm start`, which fills empty read models,
 * against a rebuild. `--only service` or `--only first` runs one part. Options: number of events (default 1,000,000);
 * for first starts the sizes of journals (`--sizes 100000,300000`; default: a tenth, a third, all) and `--rounds 1`.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, sizes: { type: 'string' }, rounds: { type: 'string', default: '3' } },
});
const EVENTS = Number(positionals[0] ?? 1_000_000);
const FIRST_SIZES = values.sizes?.split(',').map(Number) ?? [EVENTS / 10, (3 * EVENTS) / 10, EVENTS];
const TAIL = 10_000;
const ACCOUNTS = EVENTS / 10;
const MARKETS = 1_000;
const ROUNDS = 3;
const BAR_MS = 3_000;

type Row = ReturnType<typeof printTable>;

function rows(row: Row, what: string, { servesMs, cpuMs, listensMs, beginsMs, foldedMs }: ServiceStart): void {
  row(what, seconds(servesMs), seconds(cpuMs));
  row('– until its program is loaded and listens', seconds(listensMs), '');
  row('– then, until the fold begins', seconds(beginsMs - listensMs), '');
  row('– then, to the end of the journal and the lease', seconds(foldedMs - beginsMs), '');
  row('– then, until its epoch is in the journal', seconds(servesMs - foldedMs), '');
}

/** The start with the median time. */
async function startRounds(databaseUrl: string, what: string): Promise<ServiceStart> {
  const [starts = []] = await inTurns([what], { rounds: ROUNDS }, (_, round) => {
    console.error(`${what}, round ${round} of ${ROUNDS} …`);
    return measureStart(databaseUrl);
  });
  return medianBy(starts, ({ servesMs }) => servesMs);
}

if (values.only !== 'first') await ofService();
if (values.only !== 'service') await compareFirstStarts(FIRST_SIZES, Number(values.rounds));

async function ofService(): Promise<void> {
  // Postgres has the settings of a real service, so the first epoch waits for the disk as it does there.
  const postgres = await startPostgres();
  try {
    const { connectionString } = postgres;
    const journal = await createPostgresJournal({ connectionString });
    const size = { accounts: ACCOUNTS, events: EVENTS - TAIL, markets: MARKETS };
    const { tradeUntil } = await fillJournal(journal, size);
    // Under this shard name no start finds the snapshot while folds from the first event are measured.
    const aside = new SnapshotStore({ connectionString, shard: 'aside' });
    const observer = {
      loaded: () => undefined,
      refused: (reason: string) => {
        throw new Error(reason);
      },
    };
    const [begunMs, begun] = [performance.now(), process.cpuUsage()];
    const { snapshot } = await takeSnapshot(journal, aside, 'bench', observer);
    const [takingMs, taking] = [performance.now() - begunMs, process.cpuUsage(begun)];
    if (snapshot === null) throw new Error('no snapshot was taken');
    await tradeUntil(EVENTS);
    await journal.close();

    const fromFirst = await startRounds(connectionString, 'from the first event');
    const store = new SnapshotStore({ connectionString, shard: 'main' });
    await store.write({ ...(await aside.read(snapshot)), head: snapshot }, 'bench', null);
    const fromSnapshot = await startRounds(connectionString, 'from the snapshot');

    console.log(
      `${figure(EVENTS)} events, ${figure(ACCOUNTS)} accounts, ${figure(MARKETS)} markets; median of ${ROUNDS} rounds`,
    );
    console.log(`Snapshot: ${figure(snapshot.bytes / 1e6)} MB in ${snapshot.pieces} pieces`);
    console.log('Postgres flushes to the disk (fsync on), as users run it.\n');
    const row = printTable([''], ['time', 'processor']);
    rows(row, `start, from the snapshot and ${figure(TAIL)} events`, fromSnapshot);
    rows(row, 'start, folded from the first event', fromFirst);
    row('taking the snapshot, with its fold', seconds(takingMs), seconds((taking.user + taking.system) / 1_000));
    console.log('');
    printBar('start with a snapshot', fromSnapshot.servesMs, { atMost: BAR_MS }, seconds);
  } finally {
    await postgres.stop();
  }
}
