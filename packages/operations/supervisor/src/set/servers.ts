import { setTimeout as sleep } from 'node:timers/promises';
import { openJournal } from '@paper/journal';
import { ConfigError, isInstalled } from '@paper/runtime';
import { inTime } from '@paper/timing';
import { reachPostgres, reachRedis, reasonOf } from '../reachable.ts';
import type { ServiceSetConfig } from './config.ts';

const EVENTSTORE_MS = 10_000;
const PAUSE_MS = 500;

/** Checks that HAProxy is installed. @throws ConfigError that says how to install it, since waiting would not help. */
export function requireHaproxy(): void {
  if (isInstalled('haproxy')) return;
  throw new ConfigError(
    'The services cannot be started:\n  haproxy is not on PATH: it makes the services one base URL. ' +
      '`apt-get install haproxy` (Debian, Ubuntu) or `brew install haproxy` (macOS) is all it needs.',
  );
}

export interface Waiting {
  readonly log: (line: string) => void;
  /** False once waiting should be given up. */
  readonly isRunning: () => boolean;
}

/** The servers that all services need. The set waits for an unreachable server, as each service does. */
export class AwaitedServers {
  readonly #away = new Map<string, string>();
  readonly #servers: readonly (readonly [name: string, reach: () => Promise<void>])[];

  constructor(config: ServiceSetConfig) {
    const { DATABASE_URL, JOURNAL_URL, REDIS_URL } = config;
    this.#servers = [
      ['Postgres', () => reachPostgres(DATABASE_URL)],
      ['Redis', () => reachRedis(REDIS_URL)],
      ...(JOURNAL_URL === undefined ? [] : [['EventStoreDB', () => reachEventStore(config, JOURNAL_URL)] as const]),
    ];
  }

  /** The servers that have not answered yet, each with its last error. */
  away(): readonly string[] {
    return this.#servers.flatMap(([name]) => this.#away.get(name) ?? []);
  }

  /** Logs once which server is missing and why, and when it has answered. */
  async wait(waiting: Waiting): Promise<void> {
    await Promise.all(this.#servers.map(([name, reach]) => this.#waitFor(name, reach, waiting)));
  }

  async #waitFor(name: string, reach: () => Promise<void>, { log, isRunning }: Waiting): Promise<void> {
    while (isRunning()) {
      try {
        await reach();
        if (this.#away.delete(name)) log(`${name} answers.`);
        return;
      } catch (error) {
        const reason = reasonOf(error);
        if (!this.#away.has(name)) log(`Waiting for ${reason}`);
        this.#away.set(name, reason);
      }
      await sleep(PAUSE_MS);
    }
  }
}

async function reachEventStore({ DATABASE_URL, SHARD }: ServiceSetConfig, eventStoreUrl: string): Promise<void> {
  const open = openJournal({ databaseUrl: DATABASE_URL, eventStoreUrl, shard: SHARD });
  try {
    await inTime(open, EVENTSTORE_MS, () => {
      throw new Error(`no answer within ${EVENTSTORE_MS / 1_000} s`);
    });
  } catch (error) {
    throw new Error(`EventStoreDB (JOURNAL_URL): ${reasonOf(error)}`, { cause: error });
  } finally {
    // Closes the journal even if it opens too late.
    open.then((journal) => journal.close()).catch(() => undefined);
  }
}
