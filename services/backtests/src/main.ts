import { mkdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { endpoints } from '@paper/contracts';
import { appSettings, createApp, createOperators, pathOf, startServers, withRoutesServedElsewhere } from '@paper/http';
import { openJournal } from '@paper/journal';
import { noteKeyUses } from '@paper/names';
import { createAuthenticator, createReader, DIVERGED_GAUGE, reportDivergence } from '@paper/read-models';
import { FolderInUse, keepTrying, lockFolder, logFailuresOf, runService } from '@paper/runtime';
import type { ServiceProcess } from '@paper/runtime';
import type { z } from 'zod';
import { openBacktests } from './host/backtests.ts';
import { backtestsServiceSettings } from './host/config.ts';

async function start(config: z.output<typeof backtestsServiceSettings>, running: ServiceProcess): Promise<void> {
  const { logger, metrics, teardown } = running;
  const { DATABASE_URL: connectionString, JOURNAL_URL: eventStoreUrl, SHARD: shard } = config;
  const onError = logFailuresOf('a connection was lost', running);
  mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 });
  await teardown.add('lock', lockFolder(config.DATA_DIR, 'backtests.lock'));

  const open = () =>
    openJournal({ databaseUrl: connectionString, eventStoreUrl, shard, onError, use: 'public reader' });
  const journal = keepTrying('journal', open, running);
  const onDivergence = reportDivergence({ logger, gauge: metrics.gauge(...DIVERGED_GAUGE) });
  const reader = createReader({ connectionString, journal, onIdleError: onError, onDivergence });
  await teardown.add('read models', () => reader.close());
  const { freshness, progress, readModels } = reader;

  const backtests = await openBacktests(config, running, {
    authenticate: createAuthenticator(readModels, freshness, progress),
    databaseUrl: config.BACKTESTS_DATABASE_URL,
    journalSeq: () => progress.newest(),
  });
  const app = createApp({
    ...appSettings(config, running),
    routes: withRoutesServedElsewhere(backtests.routes, endpoints),
    operators: createOperators([]),
    noteKeyUse: await noteKeyUses(connectionString, running),
  });
  const listener: RequestListener = (request, response) =>
    (backtests.handles(pathOf(request)) ? backtests.listener : app)(request, response);
  // Running backtests do not need the read models of the exchange.
  const checks = [{ name: 'read models', check: reader.assertReadable }];
  const addresses = await startServers(listener, config, running, checks);
  backtests.open(new URL(config.PUBLIC_URL).origin);
  running.listening(addresses);
}

await runService({
  name: 'backtests',
  schema: backtestsServiceSettings,
  start,
  explain: (error) => (error instanceof FolderInUse ? error.message : null),
});
