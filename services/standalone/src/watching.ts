import { createInProcessPulse, createPictures, createPulseMaker } from '@paper/pulse';
import { createAccountEventSource, type JournalCheck, type ProgressSource, type ReadModels } from '@paper/read-models';
import { createRetryLog, type Authenticate, type Logger, type Metrics } from '@paper/service-kit';
import { AccountStreams, StreamGateway } from '@paper/stream-gateway';

export interface Watching extends Pick<StreamGateway, 'routes' | 'start'> {
  /** Ends every stream: to be called before the HTTP server stops, which would wait for them. */
  stop(): Promise<void>;
}

/** What watchers are told, and who makes it, with nothing between the two but this process. */
export function createWatching(parts: {
  readonly readModels: ReadModels;
  readonly journalCheck: JournalCheck;
  readonly progress: ProgressSource;
  readonly authenticate: Authenticate;
  readonly logger: Logger;
  readonly metrics: Metrics;
}): Watching {
  const { logger } = parts;
  const channel = createInProcessPulse();
  const pictures = createPictures(parts.readModels, Date.now);
  const gateway = new StreamGateway({ ...parts, channel, pictures });
  const events = createAccountEventSource(parts.readModels, parts.progress);
  const accounts = new AccountStreams({ ...parts, events });
  const retries = createRetryLog(logger);
  const onError = (error: unknown): void => {
    // While the read models do not match the journal nobody watches, and that is logged.
    if (parts.journalCheck.divergence === null) retries.failed('a pulse could not be made', error);
  };
  const maker = createPulseMaker({ channel, onError, pictures });
  return {
    routes: [...gateway.routes, ...accounts.routes],
    start() {
      gateway.start();
      accounts.start();
      maker.start();
    },
    async stop() {
      gateway.stop();
      await Promise.all([maker.stop(), accounts.stop()]);
    },
  };
}
