import type { CommandSide } from '@paper/command-api';
import { VERSION } from '@paper/contracts';
import { createQuerySide, EmailConfigured, PageThread } from '@paper/query-api';
import { readSecret } from '@paper/runtime/coordination';
import { DeliveryTrace } from '@paper/stream-gateway';
import type { StandaloneConfig } from './config.ts';
import type { SharedParts, ReadSide } from './read-side.ts';
import { createInProcessStreams } from './watching.ts';

/** Opens the query side and the streams, which share its read models and its keys. */
export async function openQuerySide(
  { databases, journal, persist, running }: SharedParts,
  { projectionTrace, projector, reader }: ReadSide,
  commandSide: CommandSide,
  { COMPLIANCE_MODE: complianceMode }: StandaloneConfig,
) {
  const { logger, metrics, teardown, tracing } = running;
  const { fill, freshness, journalCheck, progress, readModels } = reader;
  const querySide = createQuerySide({
    readModels,
    journal: Promise.resolve(journal),
    pages: new PageThread({ databaseUrl: databases.reader, isDatabaseOurs: databases.isEmbedded }),
    cursorSecret: Promise.resolve(await persist(() => readSecret(databases.reader, 'cursors'))),
    freshness,
    progress,
    version: VERSION,
    complianceMode,
    isEmailConfigured: new EmailConfigured(databases.reader).get,
    isHealthy: () => commandSide.ready() && projector.status().state === 'running' && journalCheck.divergence === null,
    now: Date.now,
    logger,
  });
  await teardown.add('boards', () => querySide.stop());
  const { authenticate } = querySide;
  const traces = { deliveryTrace: tracing === null ? null : new DeliveryTrace(tracing), projectionTrace };
  const sources = { journal, readModels, journalCheck, progress, ready: fill.filled };
  const watching = createInProcessStreams({ ...sources, ...traces, authenticate, logger, metrics });
  return { querySide, watching };
}
