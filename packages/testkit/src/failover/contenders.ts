import { setTimeout as sleep } from 'node:timers/promises';
import { createCuttableProxy } from '../cuttable-proxy.ts';
import { eventually, scaledMs } from '../eventually.ts';
import { startServiceProcess, type ServiceProcess } from '../exchange/service-process.ts';

/** A command API of several that could lead, with ways to its servers that can be cut. */
export interface Contender extends ServiceProcess {
  readonly url: string;
  /** From the database: its lease, and its journal where that is in Postgres. */
  cut(): void;
  /** From the journal alone: its lease is renewed. */
  cutFromJournal(): void;
  mend(): void;
}

/** Several command APIs over one journal. */
export interface Contenders {
  /** Those that were started and not yet let go, in that order. */
  readonly all: readonly Contender[];
  start(): Promise<Contender>;
  /** The one that takes commands, once there is one; `but`: another than this. */
  leader(but?: Contender): Promise<Contender>;
  /** Resolves when it says so of itself on the port for operators. */
  reports(contender: Contender, what: RegExp): Promise<void>;
  /** Resolves when it stands by with a memory at the end of the journal, and has seen who leads. */
  standsBy(contender: Contender): Promise<void>;
  /** Kills it where it still runs, and forgets it. */
  remove(contender: Contender): Promise<void>;
  stop(): Promise<void>;
}

/** As the connection of a lease calls itself. */
const LEASE_CONNECTION = 'paper-lease';

/** `env` is that of the services; an empty JOURNAL_URL: the journal is in Postgres. */
export function createContenders(
  env: Readonly<Record<string, string>> & { readonly DATABASE_URL: string; readonly JOURNAL_URL: string },
): Contenders {
  const all: Contender[] = [];
  const proxies = new Map<Contender, readonly { close(): Promise<void> }[]>();
  const reports = async (contender: Contender, what: RegExp): Promise<void> => {
    await eventually(`readiness says ${what}`, async () => what.test(await readiness(contender)));
  };
  const remove = async (contender: Contender): Promise<void> => {
    await contender.stop('SIGKILL');
    for (const proxy of proxies.get(contender) ?? []) await proxy.close();
    all.splice(all.indexOf(contender), 1);
  };
  return {
    all,
    async start() {
      const database = await createCuttableProxy(env.DATABASE_URL);
      const eventStore = env.JOURNAL_URL === '' ? null : await createCuttableProxy(env.JOURNAL_URL);
      const service = await startServiceProcess('command-api', {
        ...env,
        DATABASE_URL: database.url,
        JOURNAL_URL: eventStore?.url ?? '',
      });
      if (service.url === null) throw new Error('the command API listens nowhere');
      const contender = {
        ...service,
        url: service.url,
        cut: () => database.cut(),
        cutFromJournal: () => (eventStore === null ? database.cut(LEASE_CONNECTION) : eventStore.cut()),
        mend() {
          database.mend();
          eventStore?.mend();
        },
      };
      all.push(contender);
      proxies.set(contender, eventStore === null ? [database] : [database, eventStore]);
      return contender;
    },
    async leader(but) {
      for (;;) {
        for (const one of all) if (one !== but && (await readiness(one)) === 'ok') return one;
        await sleep(10);
      }
    },
    reports,
    standsBy: (contender) => reports(contender, /^standby at .* leads$/),
    remove,
    async stop() {
      for (const contender of [...all]) await remove(contender);
    },
  };
}

/** What it says of itself on the port for operators; nothing where it does not answer. */
async function readiness({ operationUrl }: Contender): Promise<string> {
  try {
    const answer = await fetch(`${operationUrl}/health/ready`, { signal: AbortSignal.timeout(scaledMs(500)) });
    const { checks } = (await answer.json()) as { readonly checks: Readonly<Record<string, string>> };
    return checks['command side'] ?? '';
  } catch {
    return '';
  }
}
