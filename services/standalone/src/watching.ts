import { createInProcessPulse, createMarketSnapshots, createPulseMaker } from '@paper/pulse';
import { createAccountEventSource, createBookSource } from '@paper/read-models';
import type { JournalCheck, ProgressSource, ReadModels } from '@paper/read-models';
import type { Authenticate, StreamRoute } from '@paper/http';
import { createRetryLog } from '@paper/runtime';
import type { Logger, Metrics } from '@paper/runtime';
import type { Journal } from '@paper/journal';
import type { ProjectionTrace } from '@paper/projector';
import { createStreams } from '@paper/stream-gateway';
import type { DeliveryTrace } from '@paper/stream-gateway';

export type InProcessStreams = ReturnType<typeof createInProcessStreams>;

/** Connects the streams with the maker of the markets' snapshots that they send, within this process. */
export function createInProcessStreams(parts: {
  readonly journal: Journal;
  readonly readModels: ReadModels;
  readonly journalCheck: JournalCheck;
  readonly progress: ProgressSource;
  readonly ready: NonNullable<StreamRoute['ready']>;
  readonly authenticate: Authenticate;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly deliveryTrace: DeliveryTrace | null;
  readonly projectionTrace: ProjectionTrace | null;
}) {
  const { deliveryTrace: trace, logger, projectionTrace } = parts;
  const channel = createInProcessPulse();
  const snapshots = createMarketSnapshots(parts.readModels, Date.now);
  const streams = createStreams({
    ...parts,
    books: createBookSource(parts.readModels, parts.progress),
    events: createAccountEventSource(parts.readModels, parts.progress),
    journal: Promise.resolve(parts.journal),
    pulses: { channel, snapshots },
    trace,
  });
  const retries = createRetryLog(logger);
  const onError = (error: unknown): void => {
    // While the read models do not match the journal no pulses are sent, which is logged elsewhere.
    if (parts.journalCheck.divergence === null) retries.failed('a pulse could not be made', error);
  };
  const maker = createPulseMaker({ channel: projectionTrace?.observePulses(channel) ?? channel, onError, snapshots });
  return {
    routes: streams.routes.map((one) => ({ ...one, ready: parts.ready })),
    start(): void {
      streams.start();
      maker.start();
    },
    /** Ends every stream. Call it before the HTTP server stops, which would wait for streams. */
    async stop(): Promise<void> {
      await Promise.all([streams.stop(), maker.stop()]);
    },
  };
}
