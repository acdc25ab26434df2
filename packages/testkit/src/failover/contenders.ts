import { setTimeout as sleep } from 'node:timers/promises';
import { createCuttableProxy } from '../cuttable-proxy.ts';
import { startServiceProcess, type ServiceProcess } from '../exchange/service-process.ts';

/** A command API of several that could lead, with a way to the database that can be cut. */
export interface Contender extends ServiceProcess {
  readonly url: string;
  cut(): void;
  mend(): void;
}

/** Several command APIs over one journal. */
export interface Contenders {
  /** Those that were started and not yet let go, in that order. */
  readonly all: readonly Contender[];
  start(): Promise<Contender>;
  /** The one that takes commands, once there is one; `but`: another than this. */
  leader(but?: Contender): Promise<Contender>;
  /** Resolves when it stands by with a memory at the end of the journal, and has seen who leads. */
  standsBy(contender: Contender): Promise<void>;
  /** Kills it where it still runs, and forgets it. */
  letGo(contender: Contender): Promise<void>;
  stop(): Promise<void>;
}

/** `env` is that of the services, DATABASE_URL among it. */
export function createContenders(
  env: Readonly<Record<string, string>> & { readonly DATABASE_URL: string },
): Contenders {
  const all: Contender[] = [];
  const proxies = new Map<Contender, { close(): Promise<void> }>();
  const letGo = async (contender: Contender): Promise<void> => {
    await contender.stop('SIGKILL');
    await proxies.get(contender)?.close();
    all.splice(all.indexOf(contender), 1);
  };
  return {
    all,
    async start() {
      const proxy = await createCuttableProxy(env.DATABASE_URL);
      const service = await startServiceProcess('command-api', { ...env, DATABASE_URL: proxy.url });
      if (service.url === null) throw new Error('the command API listens nowhere');
      const contender = { ...service, url: service.url, cut: () => proxy.cut(), mend: () => proxy.mend() };
      all.push(contender);
      proxies.set(contender, proxy);
      return contender;
    },
    async leader(but) {
      for (;;) {
        for (const one of all) if (one !== but && (await readiness(one)) === 'ok') return one;
        await sleep(10);
      }
    },
    async standsBy(contender) {
      while (!/^standby at .* leads$/.test(await readiness(contender))) await sleep(10);
    },
    letGo,
    async stop() {
      for (const contender of [...all]) await letGo(contender);
    },
  };
}

/** What it says of itself on the port for operators; nothing where it does not answer. */
async function readiness({ operationUrl }: Contender): Promise<string> {
  try {
    const answer = await fetch(`${operationUrl}/health/ready`, { signal: AbortSignal.timeout(500) });
    const { checks } = (await answer.json()) as { readonly checks: Readonly<Record<string, string>> };
    return checks['command side'] ?? '';
  } catch {
    return '';
  }
}
