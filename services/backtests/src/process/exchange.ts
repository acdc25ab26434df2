import { createCommandSide, readModelOf } from '@paper/command-api';
import type { CommandFields, CommandSide } from '@paper/command-api';
import { accountLane, operatorLane, useRandomness } from '@paper/command-side';
import { Refused, VERSION } from '@paper/contracts';
import { RULES_VERSION } from '@paper/exchange';
import type { Decision, RejectionCode, State } from '@paper/exchange';
import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import type { Actor } from '@paper/exchange/commands';
import type { Authenticate } from '@paper/http';
import { openNames } from '@paper/names';
import { ProjectorService } from '@paper/projector';
import { createInProcessPulse } from '@paper/pulse';
import { createQuerySide, pagesOf } from '@paper/query-api';
import { createAccountEventSource, createReader, LiveBooks } from '@paper/read-models';
import type { Reader } from '@paper/read-models';
import { createMetrics } from '@paper/runtime';
import type { Logger, Metrics } from '@paper/runtime';
import { createStreams } from '@paper/stream-gateway';
import { createMemoryJournal, createMemoryLog } from '@paper/journal';
import type { LogEvents } from '@paper/journal';
import type { BacktestStart } from '../protocol.ts';
import type { BacktestClock } from './backtest-clock.ts';
import { connectionStringOf, lowerBackendsOf } from './database.ts';
import type { Feed } from './feed.ts';
import { seededRandomness } from './seeded-randomness.ts';
import { shownAccountEvents } from './shown-journal.ts';

const GATHER_MS = 100;

/** The exchange of a backtest with its reads and streams: the parts of the standalone, with another clock. */
export type BacktestExchange = Awaited<ReturnType<typeof openExchange>>;

/** The build that the journal's first event names: any build of one rules version makes the same journal. */
const BUILD = `rules-${RULES_VERSION}`;

interface ExchangeParts {
  readonly journal: LogEvents;
  readonly feed: Feed;
  readonly clock: BacktestClock;
  readonly logger: Logger;
  readonly onFailed: (error: Error) => void;
}

export async function openExchange({ database, databaseUrl, settings }: BacktestStart, parts: ExchangeParts) {
  const { clock, logger, onFailed } = parts;
  let side: CommandSide | null = null;
  const randomness = seededRandomness(settings.seed, clock.now, () => side?.writer.state?.seq ?? 0);
  useRandomness(randomness);
  const { secret } = randomness;
  const metrics = createMetrics();
  const journal = createMemoryJournal(createMemoryLog(parts.journal));
  const later = Promise.resolve(journal);
  const onBackend = lowerBackendsOf(database);
  const read = { connectionString: connectionStringOf(databaseUrl, database), onBackend };
  const projector = new ProjectorService({ ...read, gatherMs: GATHER_MS, journal, logger, metrics });
  const reader = createReader({
    ...{ ...read, onLongReadBackend: onBackend, journal: later },
    localProgress: projector.progress,
    onIdleError: () => undefined,
  });
  const { freshness, progress, readModels } = reader;
  const names = await openNames({ ...read, shard: 'main' });
  const commandSide = createCommandSide({
    ...{ clock, journal, logger, metrics, names },
    settings: { ...DEFAULT_SETTINGS, startingBalanceUnits: Math.round(settings.startingBalance * 10_000) },
    acceptClock: 'on',
    build: BUILD,
    shard: 'main',
    readModel: readModelOf(readModels, progress),
    fingerprintSecret: secret('fingerprints'),
    projections: () => Promise.resolve([]),
    onFenced: onFailed,
  });
  side = commandSide;
  const { writer } = commandSide;
  const querySide = createQuerySide({
    ...{ freshness, logger, progress, readModels },
    journal: later,
    pages: pagesOf(later),
    cursorSecret: Promise.resolve(secret('cursors')),
    version: VERSION,
    complianceMode: DEFAULT_SETTINGS.complianceMode,
    isEmailConfigured: () => Promise.resolve(false),
    isHealthy: () => commandSide.ready() && projector.status().state === 'running',
    now: clock.now,
    boardsOnDemand: true,
    unranked: () => {
      const accounts = writer.state?.accounts.values() ?? [];
      return [...accounts].filter(({ playsTape }) => playsTape).map(({ id }) => id);
    },
  });
  const streams = openStreams({ ...parts, authenticate: querySide.authenticate, metrics, reader });
  return {
    ...{ clock, metrics, names, now: clock.now, randomness },
    ...directCommands(writer, randomness.newId),
    /** The sequence of the last event whose decision may be answered. */
    seq: (): number => writer.durable.seq,
    /** Resolves when the read models contain all decisions, or after a time limit. */
    readable: (timeoutMs: number) => progress.reached(writer.durable.seq, timeoutMs),
    authenticate: commandSide.authenticate,
    pulse: streams.pulse,
    routes: [
      ...[...commandSide.routes, ...querySide.routes].filter(({ endpoint }) => endpoint.auth !== 'operator'),
      ...streams.routes,
    ],
    /** Begins the writer's epoch in the journal, and opens the reads. */
    start: async (): Promise<void> => {
      await Promise.all([projector.start(), commandSide.start()]);
      querySide.start();
      streams.start();
      // A backtest does not repeat a failed start.
      await streams.begun;
    },
    stop: async (): Promise<void> => {
      await Promise.all([streams.stop(), commandSide.stop(0)]);
      await Promise.all([projector.stop(), querySide.stop(), names.close()]);
      await reader.close();
      useRandomness(null);
    },
  };
}

interface StreamParts extends Pick<ExchangeParts, 'clock' | 'feed' | 'logger'> {
  readonly authenticate: Authenticate;
  readonly metrics: Metrics;
  readonly reader: Reader;
}

/** The streams of accounts, books and pulses. Each shows an event only once the backtest's feed has released it. */
function openStreams({ feed, reader, ...shared }: StreamParts) {
  const { markets, progress: shownUpTo } = feed;
  const { monotonic, now, sinceBoot, soon } = shared.clock;
  const channel = createInProcessPulse();
  const streams = createStreams({
    ...shared,
    journalCheck: reader.journalCheck,
    // A clock whose timers never fire: the playback publishes the pulses.
    pulses: {
      ...{ channel, snapshots: markets, gapMs: 0, keptMs: 0 },
      clock: { after: () => () => undefined, monotonic, now, sinceBoot, soon },
    },
    events: shownAccountEvents(createAccountEventSource(reader.readModels, reader.progress), shownUpTo),
    books: {
      find: (id) => Promise.resolve(markets.has(id) ? { ended: null, seq: shownUpTo.seq } : null),
      load: () => Promise.resolve(new LiveBooks(0)),
      newest: () => shownUpTo.seq,
    },
    journal: Promise.resolve(feed.journal),
  });
  return { ...streams, pulse: async () => channel.publish(await markets.mostActive()) };
}

/** What sends commands without a request. */
function directCommands(writer: CommandSide['writer'], newId: () => string) {
  const state = (): State => {
    if (writer.state === null) throw new Error('the exchange decides nothing any more');
    return writer.state;
  };
  const submit = async (by: Actor, fields: CommandFields): Promise<Decision> => {
    const id = newId();
    const lane = by.kind === 'key' ? accountLane(by.accountId, null) : operatorLane('backtest');
    const base = { by, causationId: id, correlationId: id, id, idempotency: null };
    try {
      return (await writer.submit(lane, { ...fields, ...base }, (decision) => decision)).value;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { kind: 'rejected', code: error.code as RejectionCode, message: error.message };
    }
  };
  /** Decides the timers that are due. Resolves when no command waits for a decision. */
  const settled = (): Promise<void> => writer.settled();
  return { newId, settled, state, submit };
}
