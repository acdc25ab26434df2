import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startEmbeddedPostgres } from '@paper/embedded-postgres';
import { createPostgresJournal, type Journal } from '@paper/journal';
import { rebuild } from '@paper/read-models';
import cliProgress from 'cli-progress';
import { Command } from 'commander';

/**
 * `npm run rebuild` refills the read models from the journal, beside a running service or without one: the database
 * is that of DATABASE_URL, else the embedded one of DATA_DIR, which is started where no service has it running.
 */
new Command('rebuild')
  .description('Refill the read models from the journal; a running service goes on serving meanwhile.')
  .parse();

interface Source {
  readonly connectionString: string;
  readonly journal: Journal;
  /** Stops what was started for this. */
  readonly release: () => Promise<void>;
}

try {
  const source = await openSource();
  try {
    await run(source);
  } finally {
    await source.journal.close();
    await source.release();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function run({ connectionString, journal }: Source): Promise<void> {
  const bar = process.stderr.isTTY
    ? new cliProgress.SingleBar({
        stream: process.stderr,
        format: '{bar} {percentage}% | {value}/{total} events | {rate} events/s',
        clearOnComplete: true,
      })
    : null;
  const startedMs = performance.now();
  const rate = (events: number): number => Math.round((events * 1000) / Math.max(1, performance.now() - startedMs));
  bar?.start((await journal.head()).seq, 0, { rate: 0 });
  try {
    const { schema, former, seq } = await rebuild({
      connectionString,
      journal,
      onProgress: (checkpoint, target) => {
        bar?.setTotal(target);
        bar?.update(checkpoint.seq, { rate: rate(checkpoint.seq) });
      },
    });
    bar?.stop();
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    console.log(
      `Rebuilt: ${seq} events in ${seconds} s (${rate(seq)} events/s). Served from ${schema} now, before from ${former ?? 'nothing'}.`,
    );
  } finally {
    bar?.stop();
  }
}

async function openSource(): Promise<Source> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') return connect(given);
  const dataDir = path.resolve(process.env['DATA_DIR'] ?? './data');
  if (!existsSync(dataDir)) throw new Error(`There is nothing to rebuild: no folder ${dataDir}. Set DATA_DIR.`);
  const running = runningDatabase(dataDir);
  if (running !== null) {
    try {
      return await connect(running);
    } catch {
      // Left by a service that was killed. Where one does run, starting a second server says so.
    }
  }
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    return await connect(postgres.connectionString, () => postgres.stop());
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function connect(
  connectionString: string,
  release: Source['release'] = () => Promise.resolve(),
): Promise<Source> {
  return { connectionString, journal: await createPostgresJournal({ connectionString }), release };
}

/** The embedded server's address, which it leaves in the data folder while it runs. */
function runningDatabase(dataDir: string): string | null {
  const file = path.join(dataDir, 'postgres.json');
  if (!existsSync(file)) return null;
  const { connectionString } = JSON.parse(readFileSync(file, 'utf8')) as { connectionString?: unknown };
  return typeof connectionString === 'string' ? connectionString : null;
}
