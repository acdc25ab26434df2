import { endpoints, VERSION } from '@paper/contracts';
import { openJournal } from '@paper/journal';
import { createReader, DIVERGED_GAUGE, reportDivergence } from '@paper/read-models';
import { createApp, createOperators, appSettings, startServers, withRoutesServedElsewhere } from '@paper/http';
import { ensureNameTables, noteKeyUses } from '@paper/names';
import { createLeaseStore, keepTrying, keepTryingTo, logFailuresOf, runService } from '@paper/runtime';
import type { ServiceProcess } from '@paper/runtime';
import { readSecret } from '@paper/runtime/coordination';
import type { z } from 'zod';
import { queryApiSettings } from './config.ts';
import { EmailConfigured } from './email-configured.ts';
import { loadPages } from './pages/pages.ts';
import { PageThread } from './journal/page-thread.ts';
import { createQuerySide } from './query-side.ts';
import { watchSystemHealth } from './system-health.ts';

async function start(config: z.output<typeof queryApiSettings>, running: ServiceProcess): Promise<void> {
  const { logger, metrics, teardown } = running;
  const { DATABASE_URL: connectionString, JOURNAL_URL: eventStoreUrl, SHARD: shard } = config;
  const onError = logFailuresOf('a connection was lost', running);

  const open = () =>
    openJournal({ databaseUrl: connectionString, eventStoreUrl, shard, onError, use: 'public reader' });
  // The start does not wait for the journal, since public reads do not need it.
  const journal = keepTrying('journal', open, running);
  const onDivergence = reportDivergence({ logger, gauge: metrics.gauge(...DIVERGED_GAUGE) });
  const reader = createReader({ connectionString, journal, onIdleError: onError, onDivergence });
  await teardown.add('read models', () => reader.close());
  const { freshness, progress, readModels } = reader;
  let cursorsReady = false;
  const cursorSecret = keepTryingTo(
    'read the secret of cursors',
    () => readSecret(connectionString, 'cursors'),
    running,
  ).finally(() => {
    cursorsReady = true;
  });
  // The start does not wait for these tables. If this role may not read them, that is logged.
  void keepTryingTo('find the tables of names and of uses of keys', () => ensureNameTables(connectionString), running);
  const leases = createLeaseStore({ connectionString, onIdleError: onError });
  await teardown.add('leases', () => leases.close());
  // Whether commands are accepted: they are refused while the journal can lose events.
  const takesCommands = async (): Promise<boolean> =>
    ((await journal).threat?.() ?? null) === null && leases.isHeld(`writer:${shard}`);
  const systemHealth = watchSystemHealth(freshness, takesCommands);
  await teardown.add('system health', () => systemHealth.stop());

  const querySide = createQuerySide({
    readModels,
    journal,
    pages: new PageThread({ databaseUrl: connectionString, eventStoreUrl, shard, isDatabaseOurs: false }),
    cursorSecret,
    freshness,
    progress,
    version: VERSION,
    complianceMode: config.COMPLIANCE_MODE,
    isHealthy: systemHealth.isHealthy,
    isEmailConfigured: new EmailConfigured(connectionString).get,
    now: Date.now,
    logger,
  });
  await teardown.add('boards', () => querySide.stop());
  querySide.start();

  // Public reads work without the journal, so readiness depends only on the read models.
  const checks = [
    { name: 'read models', check: reader.assertReadable },
    {
      name: 'cursors',
      check: async () => {
        if (!cursorsReady) await readSecret(connectionString, 'cursors');
      },
    },
  ];
  const app = createApp({
    routes: withRoutesServedElsewhere(querySide.routes, endpoints),
    pages: loadPages(),
    operators: createOperators(config.OPERATOR_TOKENS ?? []),
    noteKeyUse: await noteKeyUses(connectionString, running),
    ...appSettings(config, running, { readProcesses: config.QUERY_APIS }),
  });
  running.listening(await startServers(app, config, running, checks));
}

await runService({ name: 'query-api', schema: queryApiSettings, start });
