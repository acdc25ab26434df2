import { endpoints, VERSION } from '@paper/contracts';
import { openJournal } from '@paper/journal';
import { createMarketSnapshots, createRedisPulse } from '@paper/pulse';
import * as reading from '@paper/read-models';
import { createApp, createOperators, appSettings, startServers, withRoutesServedElsewhere } from '@paper/http';
import { noteKeyUses } from '@paper/names';
import { keepTrying, logFailuresOf, runService } from '@paper/runtime';
import type { ServiceProcess } from '@paper/runtime';
import type { z } from 'zod';
import { streamGatewaySettings } from './config.ts';
import { DeliveryTrace } from './delivery-trace.ts';
import { createStreams } from './streams.ts';

async function start(config: z.output<typeof streamGatewaySettings>, running: ServiceProcess): Promise<void> {
  const { logger, metrics, teardown, tracing } = running;
  const { DATABASE_URL: connectionString, JOURNAL_URL: eventStoreUrl, SHARD: shard } = config;
  const onError = logFailuresOf('a connection was lost', running);

  const open = () =>
    openJournal({ databaseUrl: connectionString, eventStoreUrl, shard, onError, use: 'public reader' });
  // The start does not wait for the journal, since public streams do not need it.
  const journal = keepTrying('journal', open, running);
  const onDivergence = reading.reportDivergence({ logger, gauge: metrics.gauge(...reading.DIVERGED_GAUGE) });
  const reader = reading.createReader({ connectionString, journal, onIdleError: onError, onDivergence });
  await teardown.add('read models', () => reader.close());
  const { fill, freshness, journalCheck, progress, readModels } = reader;
  const authenticate = reading.createAuthenticator(readModels, freshness, progress);
  const channel = createRedisPulse({ url: config.REDIS_URL, shard, onError });
  await teardown.add('redis', () => channel.close());

  const streams = createStreams({
    ...{ authenticate, journal, journalCheck, logger, metrics },
    books: reading.createBookSource(readModels, progress),
    events: reading.createAccountEventSource(readModels, progress),
    pulses: { channel, snapshots: createMarketSnapshots(readModels, Date.now) },
    trace: tracing === null ? null : new DeliveryTrace(tracing),
  });
  const checks = [{ name: 'read models', check: reader.assertReadable }];
  const routes = streams.routes.map((one) => ({ ...one, ready: fill.filled }));
  const app = createApp({
    routes: withRoutesServedElsewhere(routes, endpoints),
    operators: createOperators(config.OPERATOR_TOKENS ?? []),
    noteKeyUse: await noteKeyUses(connectionString, running),
    ...appSettings(config, running),
  });
  const addresses = await startServers(app, config, running, checks);
  await teardown.add('streams', () => streams.stop());
  streams.start();
  running.listening(addresses);
}

await runService({ name: 'stream-gateway', tracedVersion: VERSION, schema: streamGatewaySettings, start });
