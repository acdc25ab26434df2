import { openBacktests } from '@paper/backtests';
import { VERSION } from '@paper/contracts';
import type { CommandSide } from '@paper/command-api';
import { isUnreadable } from '@paper/command-side';
import { startMetricsServer, startServer } from '@paper/http';
import type { ReadinessCheck } from '@paper/http';
import { noteKeyUses } from '@paper/names';
import { logFailuresOf, runService, StartRefused } from '@paper/runtime';
import type { ServiceProcess } from '@paper/runtime';
import { createStandaloneApp } from './app.ts';
import { banner } from './banner.ts';
import { waitUntilCaughtUp } from './caught-up.ts';
import { openCommandSide } from './command-side.ts';
import { standaloneSettings } from './config.ts';
import type { StandaloneConfig } from './config.ts';
import { lockDataFolder } from './data-folder.ts';
import { openStores } from './database.ts';
import { mountServices } from './mounted-services.ts';
import { operatorTokensOf } from './operator-token.ts';
import { createPersistence } from './persistence.ts';
import { openQuerySide } from './query-side.ts';
import { openReadSide } from './read-side.ts';
import { seedDemo } from './seed-demo.ts';
import { ServicePublication } from './service-file.ts';
import { showStep } from './start-steps.ts';
import { ClientActivity } from './client-activity.ts';

/** Starts all parts in one process. They stop in reverse order. */
async function start(config: StandaloneConfig, running: ServiceProcess): Promise<void> {
  const { DATA_DIR: dataDir, HOST: host } = config;
  const { logger, metrics, teardown } = running;
  const onIdleError = logFailuresOf('a database connection was lost', running);
  const persist = createPersistence(logger, () => teardown.begun());

  await lockDataFolder(config, teardown);
  const { operatorToken, operatorTokens } = operatorTokensOf(dataDir, config.OPERATOR_TOKENS);

  showStep('Starting the database');
  const stores = await openStores(config, onIdleError, persist, running);
  const { databases, journal, storage } = stores;
  const sharedParts = { ...stores, houseAccounts: new Set<string>(), onIdleError, persist, running };
  const readSide = await openReadSide(sharedParts);
  const { commandSide, snapshots } = await openCommandSide(sharedParts, readSide, config);
  const { querySide, watching } = await openQuerySide(sharedParts, readSide, commandSide, config);
  const mounted = await mountServices(sharedParts, config);
  const { projector, reader } = readSide;
  const live = { authenticate: querySide.authenticate, journalSeq: () => commandSide.status().journalSeq };
  const backtests = await openBacktests(config, running, { ...live, databaseUrl: databases.backtests });

  const activity = new ClientActivity();
  const noteKeyUse = await noteKeyUses(databases.command, running);
  const sides = { backtests, commandSide, mounted, noteKeyUse, querySide, watching };
  const listener = createStandaloneApp(sides, operatorTokens, config, running);
  const database = storage.readiness(reader.readModels);
  const checks = [projector.readiness, commandsOf(commandSide), database, mounted.readiness];
  const metricsServer = await startMetricsServer({ metrics, checks, host, port: config.METRICS_PORT });
  await teardown.add('metrics', () => metricsServer.close(100));
  // The demo's own clients have a port of their own, on which requests do not wait for service.json.
  const own = await startServer(listener, { host: '127.0.0.1', port: 0 });
  await teardown.add('own http', () => own.close(100));
  const publication = new ServicePublication(config, persist);
  const server = await startServer(config.DEMO && config.HOUSE_BOTS ? activity.count(listener) : listener, {
    ...{ host, port: config.PORT, connectionsMax: config.CONNECTIONS_MAX, metrics, checks },
    answersAfter: publication.published,
  });
  const baseUrl = reachable(server.url);
  const service = {
    baseUrl,
    publicUrl: config.PUBLIC_URL ?? `http://localhost:${server.port}`,
    operatorToken,
    metricsUrl: `${reachable(metricsServer.url)}/metrics`,
    pid: process.pid,
  };
  publication.begin(service, (error) => running.fail(error as Error));
  await teardown.add('http', () => server.close(1_500));
  await teardown.add('streams', () => watching.stop());
  await teardown.add('service.json', () => publication.forget());
  const serveReaders = async (): Promise<void> => {
    const head = { head: () => persist(() => journal.head()) };
    const showFill = (progress: string): void => showStep(READING, progress);
    await Promise.all([
      projector.start(),
      waitUntilCaughtUp(head, projector, logger, () => teardown.begun(), showFill),
    ]);
    querySide.start();
    watching.start();
  };
  showStep(READING);
  // Both start at the same time: an untrusted clock makes commands wait, and must not make readers wait.
  await Promise.all([serveReaders(), commandSide.start()]);
  snapshots.start(() => commandSide.status().journalSeq, commandSide.forgottenSeq);

  mounted.start(baseUrl, service.publicUrl);
  backtests.open(service.publicUrl);
  if (!publication.isFirst) await publication.publish({ ...service, demo: publication.storedDemo });
  showStep(config.DEMO ? 'Listing the demo markets, and waiting for the first quotes' : null);
  const { demo, exampleMarketId, isAlive } = await seedDemo({
    baseUrl: own.url,
    citedUrl: baseUrl,
    config,
    connectionString: databases.owner,
    logger,
    operatorToken,
    persist,
    readModels: reader.readModels,
    teardown,
    activity,
    houseAccounts: sharedParts.houseAccounts,
  });
  const ready = { ...service, demo };
  await publication.publish(ready);
  showStep(null);
  process.stdout.write(banner(ready, dataDir, { exampleMarketId, isAlive }));
}

const READING = 'Reading the journal';

/** The readiness of commands and of their journal. */
function commandsOf({ journalReadiness, readiness }: CommandSide): ReadinessCheck {
  return { name: readiness.name, check: () => readiness.check().then(() => journalReadiness.check()) };
}

/** The address for clients on this machine, even if the server listens on every address. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/** Throws StartRefused if this build cannot read the journal. */
async function startOrRefuse(config: StandaloneConfig, running: ServiceProcess): Promise<void> {
  try {
    await start(config, running);
  } catch (error) {
    throw isUnreadable(error) ? new StartRefused(error.message, { cause: error }) : error;
  }
}

await runService({
  name: 'standalone',
  tracedVersion: VERSION,
  schema: standaloneSettings,
  start: startOrRefuse,
});
