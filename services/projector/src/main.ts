import { VERSION } from '@paper/contracts';
import { openJournal } from '@paper/journal';
import { createMarketSnapshots, createPulseMaker, createRedisPulse } from '@paper/pulse';
import { connectReadModels, ReadModels } from '@paper/read-models';
import { startMetricsServer, untilOpened } from '@paper/http';
import type { ReadinessCheck } from '@paper/http';
import { createLease, createLeaseStore, keepTrying, logFailuresOf, runService } from '@paper/runtime';
import type { ServiceProcess } from '@paper/runtime';
import type { z } from 'zod';
import { projectorSettings } from './config.ts';
import { ProjectionTrace } from './projection-trace.ts';
import { ProjectorService } from './projector-service.ts';
import { countPulseFailures } from './pulse-failures.ts';

/** Follows the journal into the read models and publishes snapshots of the markets, if no other projector leads. */
async function start(config: z.output<typeof projectorSettings>, running: ServiceProcess): Promise<void> {
  const { logger, metrics, teardown, tracing } = running;
  const { DATABASE_URL: connectionString, JOURNAL_URL: eventStoreUrl, SHARD: shard } = config;
  const onError = logFailuresOf('a connection was lost', running);
  const location = { databaseUrl: connectionString, eventStoreUrl, shard, use: 'service' } as const;
  const { check, open } = untilOpened('journal', () => openJournal({ ...location, onError }));
  const checks: ReadinessCheck[] = [check];
  const server = await startMetricsServer({ metrics, checks, host: config.HOST, port: config.METRICS_PORT });
  await teardown.add('metrics', () => server.close(100));
  running.listening({ metricsUrl: `${server.url}/metrics` });

  const journal = await keepTrying('journal', open, running);
  const db = connectReadModels({ connectionString, maxConnections: 2, onIdleError: onError });
  await teardown.add('read models', () => db.destroy());
  const redis = createRedisPulse({
    url: config.REDIS_URL,
    shard,
    onError: logFailuresOf('Redis does not answer', running),
  });
  await teardown.add('redis', () => redis.close());
  const channel = countPulseFailures(redis, metrics);
  const snapshots = createMarketSnapshots(new ReadModels(db), Date.now);
  const trace = tracing === null ? null : new ProjectionTrace(tracing);
  const companion = createPulseMaker({
    channel: trace?.observePulses(channel) ?? channel,
    snapshots,
    onError: logFailuresOf('a pulse could not be made', running),
  });
  const store = createLeaseStore({ connectionString, onIdleError: onError });
  await teardown.add('leases', () => store.close());
  const lease = createLease({ store, name: `projector:${shard}`, address: () => server.url, logger, metrics });

  const projector = new ProjectorService({
    companion,
    connectionString,
    fillFrom: location,
    journal,
    lease,
    logger,
    metrics,
    trace,
  });
  await teardown.add('projector', () => projector.stop());
  checks.splice(0, 1, projector.readiness);
  // A projector that failed for good keeps running, so that its readiness and metrics show the reason.
  projector.start().catch(() => undefined);
}

await runService({ name: 'projector', tracedVersion: VERSION, schema: projectorSettings, start });
