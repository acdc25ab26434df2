import { createHmac, createSecretKey } from 'node:crypto';
import { endpoints, Unavailable } from '@paper/contracts';
import type { KeyCaller } from '@paper/contracts';
import type { OperatorStatusBody } from '@paper/contracts/service';
import {
  findKeyOwner,
  forgottenAccounts,
  isUsedBySingle,
  openMarketsPastClose,
  rememberedFingerprint,
} from '@paper/exchange';
import type { State } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import type { ProjectionReport } from '@paper/read-models';
import {
  DisplayNames,
  ForgottenNames,
  UnsettledNames,
  CommandProcessor,
  notServingCommands,
} from '@paper/command-side';
import type { CommandProcessorOptions, DisplayNamesOptions, Writer, WriterObserver } from '@paper/command-side';
import { implement } from '@paper/http';
import type { Authenticate, ReadinessCheck, Route } from '@paper/http';
import type { NameStore } from '@paper/names';
import type { Logger, Metrics } from '@paper/runtime';
import { systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';
import { observeLeadership, observeWriter } from './command-metrics.ts';
import { idempotencyWarning, memoryBytes } from './idempotency-memory.ts';
import { closeSubAccount, createSubAccount, createSubAccountKey, revokeKey } from './routes/accounts.ts';
import type { CommandGateway, ReadModel } from './command-gateway.ts';
import { withOperatorLog } from './operator-log.ts';
import { operatorRoutes } from './routes/operator.ts';
import { cancelOrders } from './routes/cancel-orders.ts';
import { mergeShares, setDeadManSwitch, setMandate } from './routes/order-tools.ts';
import { renameAccount } from './routes/rename-account.ts';
import { placeOrders } from './routes/order-batch.ts';
import { amendOrder, cancelOrder, placeOrder, previewOrder } from './routes/orders.ts';

type ProcessorOptions = Omit<
  CommandProcessorOptions,
  'capacity' | 'clock' | 'complete' | 'ids' | 'names' | 'observer' | 'slice'
>;

export interface CommandSideOptions extends ProcessorOptions {
  readonly shard: string;
  readonly readModel: ReadModel;
  /** The key of the HMAC that fingerprints requests: 32 bytes, never changed, one for the shard. */
  readonly fingerprintSecret: Buffer;
  readonly names: NameStore;
  readonly projections: (journalSeq: number) => Promise<readonly ProjectionReport[]>;
  /** Returns the reason why no command can be stored now, for operators; commands are then refused. Default: none. */
  readonly unstorableReason?: () => string | null;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Default: the machine's clocks and timers. */
  readonly clock?: Clock;
}

export interface CommandSide {
  /** The writer, for parts of the same process that send commands without a request. */
  readonly writer: Pick<Writer, 'durable' | 'settled' | 'state' | 'submit'>;
  /**
   * Stands by until this process leads (without a lease: at once), reads the journal to its end, begins an epoch, and
   * finishes closes and settlements that a former writer had begun. Throws when it cannot fold the journal, is fenced,
   * or is stopped before it serves.
   */
  readonly start: () => Promise<void>;
  readonly routes: readonly Route[];
  /** Finds a key's owner in the state of the writer. */
  readonly authenticate: Authenticate;
  /** Finishes queued commands for `longestMs` at most (default 4,000), answers the rest 503, and gives up the lease. */
  readonly stop: (longestMs?: number) => Promise<void>;
  readonly status: () => ReturnType<Writer['status']> & { readonly shard: string };
  /** The sequence of the last event that forgets display names; 0 if there is none. */
  readonly forgottenSeq: () => number;
  readonly ready: () => boolean;
  /** Fails with the reason while commands are not decided. The front door uses it to find the leader. */
  readonly readiness: ReadinessCheck;
  /** Fails with the reason while the journal does not answer, or can lose events. */
  readonly journalReadiness: ReadinessCheck;
}

const STOP_MS = 4_000;

/**
 * Creates one writer over one journal, and its routes. A process that does not lead answers 503 on all of them, even on
 * the operator's status, since its state may be out of date.
 */
export function createCommandSide(options: CommandSideOptions): CommandSide {
  const { logger, metrics, shard, build, clock = systemClock, unstorableReason = () => null } = options;
  const observer = observeWriter(metrics, logger);
  const complete = fingerprintsWith(options.fingerprintSecret);
  const processor = new CommandProcessor({ ...options, clock, complete, observer });
  const { writer } = processor;
  const status = () => ({ ...writer.status(), shard });
  let startedMs = clock.monotonic();
  const unsettled = new UnsettledNames({
    clock,
    durableSeq: () => writer.status().journalSeq,
    observer,
    state: () => writer.state,
    store: options.names,
  });

  const forgotten = new ForgottenNames({ clock, observer, store: options.names });

  const gateway = createGateway(options, observer, writer, { forgotten, unsettled });
  const authenticate = authenticateByState(writer);
  const operatorStatus = async (): Promise<OperatorStatusBody> => {
    const projections = await reportsOf(options, processor);
    // During the wait, another process may have taken the lease.
    if (!writer.taking) throw notServingCommands();
    return { ...status(), projections, uptimeMs: clock.monotonic() - startedMs, version: build };
  };

  const whileTaking = (one: Route): Route => ({
    ...one,
    handler: (caller, input, client) =>
      writer.taking ? one.handler(caller, input, client) : Promise.reject(notServingCommands()),
  });
  observeLeadership(metrics, {
    isClockTrusted: () => processor.trustedClock.isTrusted,
    isJournalThreatened: () => (options.journal.threat?.() ?? null) !== null,
    journalAnswers: () => processor.contact.answers(),
    journalSeq: () => Math.max(writer.status().journalSeq, processor.standbySeq),
    leads: () => writer.taking,
  });

  return {
    authenticate,
    writer,
    ready: () => writer.serving && unstorableReason() === null,
    readiness: {
      name: 'command side',
      check: failsFor(() => unstorableReason() ?? (writer.serving ? null : processor.describe())),
    },
    // The front door does not check it: the leader still answers what needs no command.
    journalReadiness: { name: 'journal', forTraffic: false, check: failsFor(() => processor.contact.problem()) },
    routes: [
      ...keyRoutes(gateway, clock.now, authenticate),
      ...operatorRoutes(gateway, operatorStatus, clock.now, authenticate),
    ].map(whileTaking),
    start: async () => {
      startedMs = clock.monotonic();
      const warning = idempotencyWarning(options.settings, memoryBytes());
      if (warning !== null) logger.warn(warning);
      await processor.start();
      if (writer.state !== null) {
        nameLeftOpen(writer.state, logger);
        void forgotten.delete(forgottenAccounts(writer.state));
      }
      logger.info(status(), 'the command side serves');
    },
    forgottenSeq: () => writer.state?.forgottenSeq ?? 0,
    status,
    stop: async (longestMs = STOP_MS) => {
      await processor.stop(longestMs);
      unsettled.stop();
      forgotten.stop();
    },
  };
}

function keyRoutes(gateway: CommandGateway, now: () => number, authenticate: Authenticate): Route[] {
  return implement(
    endpoints,
    {
      placeOrder: placeOrder(gateway),
      placeOrders: placeOrders(gateway),
      previewOrder: previewOrder(gateway),
      amendOrder: amendOrder(gateway),
      cancelOrder: cancelOrder(gateway),
      cancelOrders: cancelOrders(gateway),
      setDeadManSwitch: setDeadManSwitch(gateway),
      mergeShares: mergeShares(gateway),
      setMandate: setMandate(gateway),
      createSubAccount: createSubAccount(gateway),
      closeSubAccount: closeSubAccount(gateway),
      createSubAccountKey: createSubAccountKey(gateway),
      revokeKey: revokeKey(gateway),
      renameAccount: renameAccount(gateway, now),
    },
    authenticate,
  );
}

function failsFor(reason: () => string | null | Promise<string | null>): ReadinessCheck['check'] {
  return async () => {
    const now = await reason();
    if (now !== null) throw new Error(now);
  };
}

/** The projections' reports; none while the journal does not answer or can lose events, which comes first. */
async function reportsOf({ projections }: CommandSideOptions, processor: CommandProcessor) {
  const { journalSeq } = processor.writer.status();
  const [reports, problem] = await Promise.all([projections(journalSeq), processor.contact.problem()]);
  return reports.map((one) => ({ ...one, problem: problem ?? one.problem }));
}

function createGateway(
  { journal, logger, names, readModel, unstorableReason }: CommandSideOptions,
  observer: WriterObserver,
  writer: Writer,
  later: Pick<DisplayNamesOptions, 'forgotten' | 'unsettled'>,
): CommandGateway {
  const refusal = (): Promise<never> | null =>
    (unstorableReason?.() ?? null) === null ? null : Promise.reject(notServingCommands());
  return {
    eventIdAt: async (seq) => {
      const [stored] = await journal.read(seq, 1).catch((error: unknown) => {
        observer.noted('an event could not be read', { error: String(error), seq });
        throw new Unavailable('what was recorded first cannot be read now');
      });
      if (stored === undefined) throw new Error(`the journal has no event ${seq}`);
      return stored.id;
    },
    names: new DisplayNames({ ...later, observer, publicName: readModel.publicName, store: names }),
    readModel,
    durable: () => writer.durable,
    preview: writer.preview.bind(writer),
    submit: withOperatorLog((lane, command, answer) => refusal() ?? writer.submit(lane, command, answer), logger),
    submitSequence: (lane, sequence) => refusal() ?? writer.submitSequence(lane, sequence),
    state: () => {
      if (writer.state === null) throw notServingCommands();
      return writer.state;
    },
    usage: () => {
      if (writer.usage === null) throw notServingCommands();
      return writer.usage;
    },
    usedBySingle: (by, key) => writer.state !== null && isUsedBySingle(writer.state, by, key),
  };
}

/** Finds a key's owner in the writer's state. Rejects while this process does not lead. */
function authenticateByState(writer: CommandProcessor['writer']): Authenticate {
  const cachedOwner = (keyHash: string): KeyCaller | null => {
    const found = writer.state === null ? null : findKeyOwner(writer.state, keyHash);
    return found === null ? null : { ...found, kind: 'key' };
  };
  return Object.assign(
    (keyHash: string) =>
      writer.taking && writer.state !== null
        ? Promise.resolve(cachedOwner(keyHash))
        : Promise.reject(notServingCommands()),
    { cachedOwner },
  );
}

/**
 * Replaces a request's SHA-256 fingerprint by its HMAC: a bare digest could be reversed by guessing names or prices,
 * even after they are erased. Before fingerprints had a secret the bare digest was stored; a command whose key is
 * stored with it keeps it, so that a retry across the update is a replay.
 */
function fingerprintsWith(secret: Buffer): (command: Command, state: State) => Command {
  const key = createSecretKey(secret);
  return (command, state) => {
    const { idempotency } = command;
    if (idempotency === null) return command;
    if (rememberedFingerprint(state, command) === idempotency.fingerprint) return command;
    const fingerprint = createHmac('sha256', key).update(idempotency.fingerprint, 'hex').digest('hex');
    return { ...command, idempotency: { ...idempotency, fingerprint } };
  };
}

function nameLeftOpen(state: State, logger: Logger): void {
  const calls = openMarketsPastClose(state).map((id) => `POST /api/operator/markets/${encodeURIComponent(id)}/close`);
  if (calls.length === 0) return;
  logger.warn(
    { calls },
    `${calls.length} active markets take no orders, since their closing time has passed, and the clock does not close ` +
      'them, since it had passed already when it was set or when they were activated. Close each, or give it a later closesAt.',
  );
}
