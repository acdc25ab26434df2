import { endpoints, type OperatorStatusBody } from '@paper/contracts';
import { authenticate as whoHas, type Settings } from '@paper/exchange';
import type { Journal } from '@paper/journal';
import { route, type Authenticate, type Logger, type Metrics, type Route } from '@paper/service-kit';
import { observeWriter } from './command-metrics.ts';
import { createSubAccount, createSubAccountKey, revokeKey } from './routes/accounts.ts';
import type { Desk, ProjectionStatus, ReadModel } from './routes/desk.ts';
import { operatorRoutes } from './routes/operator.ts';
import { cancelOrder, placeOrder } from './routes/orders.ts';
import type { Ask, Decided } from './writer/ask.ts';
import { systemClock, type Clock } from './writer/clock.ts';
import { ClosingClock } from './writer/closing.ts';
import type { Beginning } from './writer/load.ts';
import { unavailable } from './writer/refusals.ts';
import { Writer } from './writer/writer.ts';

export interface CommandSideOptions {
  readonly journal: Journal;
  /** The rules that this epoch decides by; recorded with it. */
  readonly settings: Settings;
  /** What is running, as the journal and the status name it. */
  readonly build: string;
  readonly shard: string;
  readonly readModel: ReadModel;
  /** For the operator's status. */
  readonly projections: () => Promise<readonly ProjectionStatus[]>;
  /** Another writer has taken over: the process has to end, and not to answer any more. */
  readonly onFenced: (error: Error) => void;
  /** Where folds of the journal begin; default: from its first event. */
  readonly begin?: Beginning;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Default: the machine's clocks and timers. */
  readonly clock?: Clock;
}

export interface CommandSide {
  /** Reads the journal, begins the epoch, finishes what a former writer left. The routes answer 503 until then. */
  readonly start: () => Promise<void>;
  readonly routes: readonly Route[];
  /** Finishes what is queued, for `longestMs` at most (default 4,000), and answers the rest 503. */
  readonly stop: (longestMs?: number) => Promise<void>;
  readonly status: () => {
    readonly journalSeq: number;
    readonly epoch: number;
    readonly shard: string;
    readonly queueDepth: number;
  };
  /** Whether commands are decided now. */
  readonly ready: () => boolean;
}

const STOP_MS = 4_000;

/** The command side: one writer over one journal, and the routes that ask it. */
export function createCommandSide(options: CommandSideOptions): CommandSide {
  const { journal, logger, shard, build, clock = systemClock } = options;
  const observer = observeWriter(options.metrics, logger);
  const writer = new Writer({ ...options, clock, observer });
  const closing = new ClosingClock(writer, clock, observer);
  const status = () => ({ ...writer.status(), shard });
  let startedMs = clock.monotonic();

  const desk: Desk = {
    eventIdAt: async (seq) => {
      const [stored] = await journal.read(seq, 1);
      if (stored === undefined) throw new Error(`the journal has no event ${seq}`);
      return stored.id;
    },
    readModel: options.readModel,
    submit: async <T>(ask: Ask<T>): Promise<Decided<T>> => {
      const decided = await writer.submit(ask);
      // Only operators list, amend and activate markets, and so change which one closes next.
      if (ask.lane.startsWith('operator:')) closing.arm();
      return decided;
    },
  };
  const authenticate: Authenticate = (keyHash) => {
    if (writer.state === null) return Promise.reject(unavailable('the service takes no commands now'));
    const found = whoHas(writer.state, keyHash);
    return Promise.resolve(found === null ? null : { ...found, kind: 'key' });
  };
  const operatorStatus = async (): Promise<OperatorStatusBody> => {
    const projections = (await options.projections()).map((projection) => ({ ...projection }));
    return { ...status(), projections, uptimeMs: clock.monotonic() - startedMs, version: build };
  };

  return {
    ready: () => writer.serving,
    routes: [
      route(endpoints.placeOrder, placeOrder(desk), authenticate),
      route(endpoints.cancelOrder, cancelOrder(desk), authenticate),
      route(endpoints.createSubAccount, createSubAccount(desk), authenticate),
      route(endpoints.createSubAccountKey, createSubAccountKey(desk), authenticate),
      route(endpoints.revokeKey, revokeKey(desk), authenticate),
      ...operatorRoutes(desk, operatorStatus, authenticate),
    ],
    start: async () => {
      startedMs = clock.monotonic();
      await writer.start();
      logger.info(status(), 'the command side serves');
      closing.arm();
    },
    status,
    stop: async (longestMs = STOP_MS) => {
      closing.stop();
      await writer.stop(longestMs);
    },
  };
}
