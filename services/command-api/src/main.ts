import { hostname } from 'node:os';
import { endpoints, VERSION } from '@paper/contracts';
import { openJournal } from '@paper/journal';
import { createReader, DIVERGED_GAUGE, lagBehind, reportDivergence, toProjectionReport } from '@paper/read-models';
import { createSnapshots, JournalUnreadable, observeBackups } from '@paper/command-side';
import {
  createApp,
  createOperators,
  appSettings,
  startMetricsServer,
  startServer,
  untilOpened,
  withRoutesServedElsewhere,
} from '@paper/http';
import type { ReadinessCheck } from '@paper/http';
import { ErasureLog, noteKeyUses, openNames, withErasureLog } from '@paper/names';
import type { NameStore } from '@paper/names';
import {
  createLease,
  createLeaseStore,
  databaseClock,
  keepTrying,
  keepTryingTo,
  logFailuresOf,
  runService,
} from '@paper/runtime';
import type { ServiceProcess } from '@paper/runtime';
import { readSecret } from '@paper/runtime/coordination';
import type { z } from 'zod';
import { createCommandSide } from './command-side.ts';
import { commandApiSettings } from './config.ts';
import { decidingOptions } from './deciding-settings.ts';
import { readModelOf } from './read-model.ts';

/** Serves every command. Of several such processes one leads; the others stand by with a folded state. */
async function start(config: z.output<typeof commandApiSettings>, running: ServiceProcess): Promise<void> {
  const { fail, logger, metrics, teardown, tracing } = running;
  const { DATABASE_URL: databaseUrl, JOURNAL_URL: eventStoreUrl, HOST: host, SHARD: shard } = config;
  const build = VERSION;
  const onError = logFailuresOf('a connection was lost', running);

  const { check, open } = untilOpened('journal', () =>
    openJournal({ databaseUrl, eventStoreUrl, shard, onError, use: 'service' }),
  );
  const checks: ReadinessCheck[] = [check];
  const metricsServer = await startMetricsServer({ metrics, checks, host, port: config.METRICS_PORT });
  await teardown.add('metrics', () => metricsServer.close(100));

  const journal = await keepTrying('journal', open, running);
  const reader = createReader({
    connectionString: databaseUrl,
    journal: Promise.resolve(journal),
    onIdleError: onError,
    onDivergence: reportDivergence({ logger, gauge: metrics.gauge(...DIVERGED_GAUGE) }),
  });
  await teardown.add('read models', () => reader.close());
  const names = await keepTrying('names', () => openNameStore(config, onError), running);
  const fingerprintSecret = await keepTryingTo(
    'read the secret of fingerprints',
    () => readSecret(databaseUrl, 'fingerprints'),
    running,
  );
  const leases = createLeaseStore({ connectionString: databaseUrl, onIdleError: onError });
  await teardown.add('leases', () => leases.close());
  if (config.BACKUP_DIR !== undefined) observeBackups(metrics, config.BACKUP_DIR);
  const every = config.SNAPSHOT_EVERY;
  const snapshots = createSnapshots({ journal, databaseUrl, eventStoreUrl, shard, build, every, logger, metrics });
  await teardown.add('snapshots', () => snapshots.stop());

  const commandSide = createCommandSide({
    journal,
    ...decidingOptions(config),
    build,
    shard,
    readModel: readModelOf(reader.readModels, reader.progress),
    names,
    fingerprintSecret,
    projections: async (journalSeq) => {
      const lag = lagBehind(journalSeq, { name: 'main', ...(await reader.readModels.served()) });
      return [toProjectionReport(lag, reader.journalCheck.divergence)];
    },
    loadFrom: snapshots.begin,
    lease: createLease({
      store: leases,
      name: `writer:${shard}`,
      address: () => foundAt(server.url),
      logger,
      metrics,
    }),
    databaseClock: () => databaseClock(databaseUrl),
    onFenced: fail,
    logger,
    metrics,
    tracing,
  });
  await teardown.add('command side', () => commandSide.stop(1_500));

  const server = await startServer(
    createApp({
      routes: withRoutesServedElsewhere(commandSide.routes, endpoints),
      operators: createOperators(config.OPERATOR_TOKENS ?? []),
      noteKeyUse: await noteKeyUses(databaseUrl, running),
      ...appSettings(config, running),
      tracing,
    }),
    { host, port: config.PORT, connectionsMax: config.CONNECTIONS_MAX, metrics, checks },
  );
  await teardown.add('http', () => server.close(1_500));
  checks.splice(0, 1, commandSide.readiness, commandSide.journalReadiness);
  running.listening({ url: server.url, metricsUrl: `${metricsServer.url}/metrics` });
  await commandSide.start();
  snapshots.start(() => commandSide.status().journalSeq, commandSide.forgottenSeq);
}

/** Opens the names. If BACKUP_DIR is set, deletions are recorded beside the backups. */
async function openNameStore(
  { BACKUP_DIR: folder, DATABASE_URL: connectionString, SHARD: shard }: z.output<typeof commandApiSettings>,
  onIdleError: (error: unknown) => void,
): Promise<NameStore> {
  const store = await openNames({ connectionString, shard, onIdleError });
  return withErasureLog(store, folder === undefined ? null : new ErasureLog({ folder, required: true }));
}

/** The address to report. For a server that listens on every address, it names the machine's host. */
function foundAt(url: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, `//${hostname()}:`);
}

await runService({
  name: 'command-api',
  tracedVersion: VERSION,
  schema: commandApiSettings,
  start,
  explain: (error) => (error instanceof JournalUnreadable ? error.message : null),
});
