import { ProjectionTrace, ProjectorService } from '@paper/projector';
import { createReader, DIVERGED_GAUGE, reportDivergence } from '@paper/read-models';
import { lowerPriority } from '@paper/runtime/resources';
import type { ServiceProcess } from '@paper/runtime';
import type { Stores } from './database.ts';
import type { Persist } from './persistence.ts';

/** The parts that all other parts of the process need. */
export interface SharedParts extends Stores {
  /** The accounts of the bots and of the demo's traders, which have no day limit; filled as they are opened. */
  readonly houseAccounts: Set<string>;
  readonly onIdleError: (error: unknown) => void;
  readonly persist: Persist;
  readonly running: ServiceProcess;
}

export type ReadSide = Awaited<ReturnType<typeof openReadSide>>;

/** The time between two transactions of the projector while no read waits: a first order costs as much as ten more. */
const GATHER_MS = 100;

export async function openReadSide({ databases, journal, onIdleError, running }: SharedParts) {
  const { logger, metrics, teardown, tracing } = running;
  const trace = tracing === null ? null : new ProjectionTrace(tracing);
  const projector = new ProjectorService({
    connectionString: databases.projector,
    fillFrom: { databaseUrl: databases.command },
    gatherMs: GATHER_MS,
    journal,
    logger,
    metrics,
    trace,
  });
  await teardown.add('projector', () => projector.stop());
  const reader = createReader({
    connectionString: databases.reader,
    journal: Promise.resolve(journal),
    localProgress: projector.progress,
    onIdleError,
    onLongReadBackend: databases.isEmbedded ? lowerPriority : undefined,
    onDivergence: reportDivergence({ logger, gauge: metrics.gauge(...DIVERGED_GAUGE) }),
  });
  await teardown.add('read models', () => reader.close());
  return { projector, projectionTrace: trace, reader };
}
