import { missingServer, startServices, startStandalone } from '@paper/testkit/exchange';
import { startPostgres } from '../../index.ts';
import { ExchangeSet } from './exchange-set.ts';

export type StartedWirings = Awaited<ReturnType<typeof startWirings>>;

const JOURNALS = ['postgres', 'eventstoredb'] as const;
const TITLES = { postgres: 'services, Postgres', eventstoredb: 'services, EventStoreDB' } as const;

/** Starts all three wirings at the same time, each on servers that flush; an idle one uses next to no CPU. */
export async function startWirings() {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  const sets = new Map<string, ExchangeSet>();
  const entrances: { readonly name: string; readonly set: ExchangeSet; readonly port: number }[] = [];
  /** Wirings that could not be started, with the reason. */
  const missing: string[] = [];
  try {
    const standalone = await startStandalone();
    undo.push(() => standalone.stop());
    const own = await ExchangeSet.prepare(standalone, new Map([['standalone', standalone.metricsUrl]]));
    sets.set('standalone', own);
    entrances.push({ name: 'standalone', port: portOf(standalone.baseUrl), set: own });
    for (const journal of JOURNALS) {
      const lack = missingServer(journal);
      if (lack !== null) {
        missing.push(`${TITLES[journal]}: not measured, there is no ${lack}`);
        continue;
      }
      const database = await startPostgres();
      undo.push(() => database.stop());
      const services = await startServices({
        journal,
        databaseUrl: database.connectionString,
        env: { LOG_LEVEL: 'warn' },
      });
      undo.push(() => services.stop());
      const processes = services.services.map(({ name, operationUrl }) => [name, `${operationUrl}/metrics`] as const);
      const set = await ExchangeSet.prepare(services, new Map(processes));
      sets.set(TITLES[journal], set);
      entrances.push({ name: TITLES[journal], port: portOf(services.baseUrl), set });
      const writer = services.of('command-api')[0]?.url ?? '';
      entrances.push({ name: `${TITLES[journal]}, no front door`, port: portOf(writer), set });
    }
    return { entrances, missing, sets, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
