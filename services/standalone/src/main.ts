import { mkdirSync } from 'node:fs';
import { createCommandSide, readModelOf } from '@paper/command-api';
import { createSnapshots, openNames } from '@paper/command-side';
import { lockFolder } from '@paper/embedded-postgres';
import { DEFAULT_SETTINGS } from '@paper/exchange';
import { createPostgresJournal, type Head } from '@paper/journal';
import { ProjectorService } from '@paper/projector';
import { createQuerySide, loadPages, PageThread } from '@paper/query-api';
import { createReader, DIVERGED_GAUGE, lagBehind, reportDivergence, reportOf } from '@paper/read-models';
import * as kit from '@paper/service-kit';
import { banner } from './banner.ts';
import { caughtUp } from './caught-up.ts';
import { standaloneSettings, type StandaloneConfig } from './config.ts';
import { startDatabase } from './database.ts';
import { explainStandalone } from './failure.ts';
import { storedOperatorToken } from './operator-token.ts';
import { seedDemo } from './seed-demo.ts';
import { createPersistence } from './persistence.ts';
import { readinessChecks } from './readiness.ts';
import { forgetService, publishService } from './service-file.ts';
import { showStep } from './start-steps.ts';
import { createWatching } from './watching.ts';

const version = kit.versionOf(import.meta.url);

/**
 * Starts all parts in one process. They stop in reverse order: house, streams, HTTP, command side, projector, Postgres.
 */
async function start(config: StandaloneConfig, running: kit.ServiceProcess): Promise<void> {
  const { DATA_DIR: dataDir, HOST: host, COMPLIANCE_MODE: complianceMode } = config;
  const { fail, logger, metrics, teardown } = running;
  const retries = kit.createRetryLog(logger);
  const onIdleError = (error: unknown): void => {
    // While the service stops, Postgres cuts connections that are being closed.
    if (!teardown.begun()) retries.failed('a database connection was lost', error);
  };

  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await teardown.add('lock', lockFolder(dataDir, 'standalone.lock'));
  forgetService(dataDir);
  const operatorTokens = config.OPERATOR_TOKENS ?? [{ name: 'operator', token: storedOperatorToken(dataDir) }];
  const operatorToken = operatorTokens[0]?.token ?? storedOperatorToken(dataDir);

  showStep('Starting the database');
  const databases = await startDatabase(config, logger, teardown, fail);
  const journal = await createPostgresJournal({ connectionString: databases.command, onError: onIdleError });
  await teardown.add('journal', () => journal.close());

  const projector = new ProjectorService({ connectionString: databases.projector, journal, logger, metrics });
  await teardown.add('projector', () => projector.stop());
  const reader = createReader({
    connectionString: databases.reader,
    journal: Promise.resolve(journal),
    localProgress: projector.progress,
    onIdleError,
    ...(databases.isEmbedded ? { onLongReadBackend: kit.lowerPriority } : {}),
    onDivergence: reportDivergence({ logger, gauge: metrics.gauge(...DIVERGED_GAUGE) }),
  });
  await teardown.add('read models', () => reader.close());
  const { freshness, journalCheck, progress, readModels } = reader;

  const snapshots = createSnapshots({
    journal,
    databaseUrl: databases.command,
    shard: 'main',
    build: version,
    every: config.SNAPSHOT_EVERY,
    logger,
    metrics,
  });
  await teardown.add('snapshots', () => snapshots.stop());
  const names = await openNames({ connectionString: databases.command, shard: 'main', onIdleError });
  await teardown.add('names', () => names.close());
  const commandSide = createCommandSide({
    journal,
    loadFrom: snapshots.begin,
    settings: { ...DEFAULT_SETTINGS, complianceMode, startingBalanceUnits: config.STARTING_BALANCE * 10_000 },
    build: version,
    shard: 'main',
    readModel: readModelOf(readModels, progress),
    names,
    fingerprintSecret: await kit.readSecret(databases.command, 'fingerprints'),
    projections: (journalSeq) => {
      const { name, checkpoint } = projector.status();
      const lag = lagBehind(journalSeq, { ...checkpoint, name });
      return Promise.resolve([reportOf(lag, journalCheck.divergence)]);
    },
    databaseClock: () => kit.databaseClock(databases.command),
    acceptClock: config.ACCEPT_CLOCK,
    onFenced: fail,
    logger,
    metrics,
  });
  await teardown.add('command side', () => commandSide.stop(1_500));
  const querySide = createQuerySide({
    readModels,
    journal: Promise.resolve(journal),
    pages: new PageThread({ databaseUrl: databases.reader, isDatabaseOurs: databases.isEmbedded }),
    cursorSecret: Promise.resolve(await kit.readSecret(databases.reader, 'cursors')),
    freshness,
    progress,
    version,
    complianceMode,
    isHealthy: () => commandSide.ready() && projector.status().state === 'running' && journalCheck.divergence === null,
    now: Date.now,
    logger,
  });
  await teardown.add('boards', () => querySide.stop());

  const watching = createWatching({
    readModels,
    journalCheck,
    progress,
    authenticate: querySide.authenticate,
    logger,
    metrics,
  });

  const server = await kit.startServer(
    kit.createApp({
      routes: [...commandSide.routes, ...querySide.routes, ...watching.routes],
      pages: loadPages(),
      operators: kit.createOperators(operatorTokens),
      logger,
      metrics,
      rateLimiter: config.RATE_LIMITS === null ? null : kit.createRateLimiter(config.RATE_LIMITS),
      trustedProxies: config.TRUSTED_PROXIES,
    }),
    { host, port: config.PORT, connectionsMax: config.CONNECTIONS_MAX, metrics },
  );
  await teardown.add('http', () => server.close(1_500));
  await teardown.add('streams', () => watching.stop());
  const checks = readinessChecks(projector.readiness, commandSide, readModels);
  const metricsServer = await kit.startMetricsServer({ metrics, checks, host, port: config.METRICS_PORT });
  await teardown.add('metrics', () => metricsServer.close(100));
  const persist = createPersistence(logger, () => teardown.begun());
  const head = (): Promise<Head> => persist(() => journal.head());
  const serveReaders = async (): Promise<void> => {
    await projector.start();
    await caughtUp({ head }, projector, logger, () => teardown.begun());
    querySide.start();
    watching.start();
  };
  showStep('Reading the journal');
  // Started side by side: an untrusted clock makes commands wait, and must not make readers wait.
  await Promise.all([serveReaders(), commandSide.start()]);
  snapshots.start(() => commandSide.status().journalSeq);

  const baseUrl = reachable(server.url);
  showStep('Listing the demo markets, and waiting for the first quotes');
  const { demo, exampleMarketId } = await seedDemo({
    baseUrl,
    config,
    connectionString: databases.owner,
    logger,
    operatorToken,
    persist,
    readModels,
    teardown,
  });
  const service = {
    baseUrl,
    operatorToken,
    metricsUrl: `${reachable(metricsServer.url)}/metrics`,
    pid: process.pid,
    demo,
  };
  await teardown.add('service.json', publishService(dataDir, service));
  showStep(null);
  process.stdout.write(banner(service, dataDir, exampleMarketId));
}

/** The address for clients on this machine, also where the server listens on every address. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

await kit.runService({ name: 'standalone', schema: standaloneSettings, start, explain: explainStandalone });
