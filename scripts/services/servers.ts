import { openJournal } from '@paper/journal';
import { ConfigError } from '@paper/service-kit';
import { isInstalled, reachPostgres, reachRedis } from '@paper/supervisor';
import type { ServiceSetConfig } from './config.ts';

const EVENTSTORE_MS = 10_000;

/**
 * Asks every server that the services will need, before any of them is started.
 *
 * @throws ConfigError that names each one which is not there, and what to do about it.
 */
export async function checkServers(config: ServiceSetConfig): Promise<void> {
  const asked = await Promise.allSettled([
    haveHaproxy(),
    reachPostgres(config.DATABASE_URL),
    reachRedis(config.REDIS_URL),
    reachEventStore(config),
  ]);
  const missing = asked.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []));
  if (missing.length > 0) throw new ConfigError(`The services cannot be started:\n  ${missing.join('\n  ')}`);
}

function haveHaproxy(): Promise<void> {
  if (isInstalled('haproxy')) return Promise.resolve();
  return Promise.reject(
    new Error(
      'haproxy is not on PATH: it makes the services one base URL. `apt-get install haproxy` (Debian, Ubuntu) or ' +
        '`brew install haproxy` (macOS) is all it needs.',
    ),
  );
}

async function reachEventStore({ DATABASE_URL, JOURNAL_URL, SHARD }: ServiceSetConfig): Promise<void> {
  if (JOURNAL_URL === undefined) return;
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    late = setTimeout(() => reject(new Error(`no answer within ${EVENTSTORE_MS / 1_000} s`)), EVENTSTORE_MS);
  });
  try {
    const open = openJournal({ databaseUrl: DATABASE_URL, eventStoreUrl: JOURNAL_URL, shard: SHARD });
    const journal = await Promise.race([open, tooLate]);
    await journal.close();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`EventStoreDB cannot be used (JOURNAL_URL): ${reason}`, { cause: error });
  } finally {
    clearTimeout(late);
  }
}
