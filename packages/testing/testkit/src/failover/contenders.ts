import { setTimeout as sleep } from 'node:timers/promises';
import { createCuttableProxy } from '../servers/cuttable-proxy.ts';
import { hasEnded } from '../servers/has-ended.ts';
import { eventually, scaledMs } from '../eventually.ts';
import { startServiceProcess } from '../exchange/service-process.ts';
import type { ServiceProcess } from '../exchange/service-process.ts';

/** One of several command APIs that compete for the lease. A test can cut its connections to its servers. */
export interface Contender extends ServiceProcess {
  readonly url: string;
  /** Cuts the process from the database: from its lease, and from its journal if the journal is in Postgres. */
  cut(): void;
  /** Cuts the process only from the journal. Its lease is still renewed. */
  cutFromJournal(): void;
  mend(): void;
}

export type Contenders = ReturnType<typeof createContenders>;

/** The readiness that a standby reports. */
const STANDS_BY = /^standby at .* leads$/;

const LEASE_CONNECTION = 'paper-lease';

/** Several command APIs over one journal, none started yet. With an empty JOURNAL_URL it is in Postgres. */
export function createContenders(
  env: Readonly<Record<string, string>> & { readonly DATABASE_URL: string; readonly JOURNAL_URL: string },
) {
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
  const start = async (): Promise<Contender> => {
    const database = await createCuttableProxy(env.DATABASE_URL);
    const eventStore = env.JOURNAL_URL === '' ? null : await createCuttableProxy(env.JOURNAL_URL);
    const service = await startServiceProcess('command-api', {
      ...env,
      DATABASE_URL: database.url,
      JOURNAL_URL: eventStore?.url ?? '',
    });
    if (service.url === null) throw new Error('the command API listens nowhere');
    const contender: Contender = {
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
  };
  return {
    all: all as readonly Contender[],
    start,
    /** Waits for the contender that accepts commands, other than `but`. */
    async leader(but?: Contender): Promise<Contender> {
      for (;;) {
        for (const one of all) if (one !== but && (await readiness(one)) === 'ok') return one;
        await sleep(10);
      }
    },
    reports,
    /** Resolves when the contender is a standby with a state at the end of the journal, and knows the leader. */
    standsBy: (contender: Contender): Promise<void> => reports(contender, STANDS_BY),
    /** Waits for a leader and a standby. Replaces those that ended: a leader may lose its lease on a busy machine. */
    async settled(): Promise<{ readonly leader: Contender; readonly standby: Contender }> {
      for (;;) {
        for (const one of [...all]) if (hasEnded(one.child)) await remove(one);
        if (all.length < 2) await start();
        const reports = await Promise.all(all.map(readiness));
        const leader = all[reports.indexOf('ok')];
        const standby = all[reports.findIndex((report) => STANDS_BY.test(report))];
        if (leader !== undefined && standby !== undefined) return { leader, standby };
        await sleep(25);
      }
    },
    /** Kills the contender if it runs, and removes it from the list. */
    remove,
    async stop(): Promise<void> {
      for (const contender of [...all]) await remove(contender);
    },
  };
}

/** The contender's readiness on the port for operators; empty if it does not answer. */
async function readiness({ operationUrl }: Contender): Promise<string> {
  try {
    const answer = await fetch(`${operationUrl}/health/ready`, { signal: AbortSignal.timeout(scaledMs(500)) });
    const { checks } = (await answer.json()) as { readonly checks: Readonly<Record<string, string>> };
    return checks['command side'] ?? '';
  } catch {
    return '';
  }
}
