import { setImmediate } from 'node:timers/promises';
import { startTracing } from '@paper/tracing';
import type { Tracing } from '@paper/tracing';
import type { z } from 'zod';
import { ConfigError } from '../config/config-error.ts';
import { maskConfig } from '../config/config.ts';
import { createLogger } from '../logger.ts';
import type { Logger } from '../logger.ts';
import { createMetrics } from '../metrics.ts';
import type { Metrics } from '../metrics.ts';
import { readArguments } from '../config/arguments.ts';
import { print, printError } from '../terminal.ts';
import { exitCodeOf, explainFailure } from './failure.ts';
import { logFailuresOf } from './keep-trying.ts';
import { runUntilSignal, STOP_MS } from './shutdown.ts';
import { createTeardown } from './teardown.ts';
import type { Teardown } from './teardown.ts';

export interface Listening {
  readonly url?: string;
  readonly metricsUrl: string;
}

export interface ServiceProcess {
  /** The log, which goes to standard error; standard output is for the output that a user requested. */
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The traces of commands; null if the environment asks for none, or the service takes no part in them. */
  readonly tracing: Tracing | null;
  /** The functions that stop the parts. Each part adds its own as soon as it has started. */
  readonly teardown: Teardown;
  /** Reports the service's addresses: in the log, and to a parent process that has a channel to this one. */
  readonly listening: (where: Listening) => void;
  /** Ends the process with exit code 1 after stopping what can be stopped: the service cannot continue. */
  readonly fail: (error: Error) => void;
}

export interface Service<S extends z.ZodObject> {
  readonly name: string;
  /** The service's settings, by the names of their variables, with LOG_LEVEL among them. */
  readonly schema: S;
  /** The version that the service's traces name; absent if it takes no part in the traces of commands. */
  readonly tracedVersion?: string;
  /** Resolves when it serves. When it rejects, everything started is stopped, and the process ends with 1 or 2. */
  readonly start: (config: z.output<S>, running: ServiceProcess) => Promise<void>;
  /** Explains an error of this service to a person; null if the common explanations apply. */
  readonly explain?: (error: unknown) => string | null;
}

/**
 * Runs a service until it is signalled: the whole of a `main.ts`. `--print-config` shows its settings. Exit codes: 0
 * after an orderly stop, 1 after a failure, 2 if a person has to change something, 130 when forced.
 */
export async function runService<S extends z.ZodObject<{ LOG_LEVEL: z.ZodType<string> }>>(
  service: Service<S>,
): Promise<void> {
  try {
    const { config, printOnly } = readArguments(service.schema, process.env, process.argv.slice(2));
    if (printOnly) {
      const all = Object.fromEntries(Object.keys(service.schema.shape).map((name) => [name, null]));
      print(JSON.stringify({ ...all, ...maskConfig(config) }, null, 2));
      return;
    }
    const logger = createLogger({ name: service.name, level: config.LOG_LEVEL }, process.stderr);
    const teardown = createTeardown(logger);
    runUntilSignal(() => teardown.run(), { logger });
    // Covers also a stop that exceeds its limit, a second signal, and an uncaught error.
    process.once('exit', () => teardown.abandon());
    endWithStarter();
    const tracing =
      service.tracedVersion === undefined
        ? null
        : await tracesOf(service.name, service.tracedVersion, logger, teardown);
    const running: ServiceProcess = {
      logger,
      tracing,
      metrics: createMetrics(true),
      teardown,
      listening(where) {
        logger.info(where, 'listening');
        // The callback ignores the error of a closed channel, which a parent process that has ended leaves.
        process.send?.({ kind: 'listening', ...where }, () => undefined);
      },
      fail: (error) => void failWith(error, logger, teardown),
    };
    await startOrStop(teardown, () => service.start(config, running));
  } catch (error) {
    printError(service.explain?.(error) ?? explainFailure(error));
    process.exit(exitCodeOf(error));
  }
}

async function tracesOf(name: string, version: string, logger: Logger, teardown: Teardown): Promise<Tracing | null> {
  const logFailure = logFailuresOf('traces cannot be sent', { logger, teardown });
  const onProblem = (message: string): void => logFailure(new Error(message));
  const starting = startTracing(process.env, { serviceName: `paper-${name}`, version, onProblem });
  const tracing = await starting.catch((error: unknown) => {
    throw new ConfigError(`The settings of traces are not valid:\n  ${String(error)}`);
  });
  if (tracing !== null) await teardown.add('traces', () => tracing.stop());
  return tracing;
}

/** Ends this process together with the parent that started it with a channel, even when the parent is killed (−9). */
function endWithStarter(): void {
  if (process.connected) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}

async function startOrStop(teardown: Teardown, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    // If the service was stopped while it was starting, its failures do not matter; the signal may arrive later.
    await setImmediate();
    if (teardown.begun()) return;
    await teardown.run();
    throw error;
  }
}

async function failWith(error: Error, logger: Logger, teardown: Teardown): Promise<void> {
  if (teardown.begun()) return;
  logger.fatal({ err: error }, 'the service cannot go on');
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await teardown.run();
  process.exit(1);
}
