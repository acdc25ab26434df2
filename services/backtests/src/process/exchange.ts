import { createCommandSide, readModelOf } from '@paper/command-api';
import type { CommandSide } from '@paper/command-api';
import { VERSION } from '@paper/contracts';
import { findKeyOwner, RULES_VERSION } from '@paper/exchange';
import type { State } from '@paper/exchange';
import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import type { Authenticate, Route, StreamRoute } from '@paper/http';
import { openNames } from '@paper/names';
import type { NameStore } from '@paper/names';
import { ProjectorService } from '@paper/projector';
import { createInProcessPulse, createPictures, createPulseMaker } from '@paper/pulse';
import { createQuerySide, pagesOf } from '@paper/query-api';
import { createAccountEventSource, createBookSource, createReader } from '@paper/read-models';
import type { LocalProgress, Reader } from '@paper/read-models';
import { createMetrics } from '@paper/runtime';
import type { Logger, Metrics } from '@paper/runtime';
import { AccountStreams, BookStreams, StreamGateway } from '@paper/stream-gateway';
import type { Journal } from '@paper/journal';
import type { BacktestClock } from './backtest-clock.ts';
import { shownAccountEvents } from './shown-journal.ts';
import type { ShownJournal } from './shown-journal.ts';

/** As in the standalone: the time between two transactions of the projector while no read waits. */
const GATHER_MS = 100;

/** The exchange of a backtest with its reads and streams: the parts of the standalone, on another clock. */
export interface BacktestExchange {
  readonly routes: readonly (Route | StreamRoute)[];
  readonly writer: CommandSide['writer'];
  readonly names: NameStore;
  readonly progress: LocalProgress;
  readonly authenticate: Authenticate;
  readonly metrics: Metrics;
  /** Begins the epoch, and opens the reads. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** What the journal's first event says decides here: by the rules alone, so that any build gives the same journal. */
const BUILD = `rules-${RULES_VERSION}`;

export async function openExchange(options: {
  /** The database of this backtest alone. */
  readonly connectionString: string;
  readonly journal: Journal;
  /** What streams show of it. */
  readonly shown: ShownJournal;
  readonly clock: BacktestClock;
  readonly startingBalance: number;
  /** Follows from the seed. */
  readonly secret: (name: string) => Buffer;
  readonly logger: Logger;
  readonly onFailed: (error: Error) => void;
}): Promise<BacktestExchange> {
  const { clock, connectionString, journal, logger, onFailed, secret } = options;
  const metrics = createMetrics();
  const later = Promise.resolve(journal);
  const projector = new ProjectorService({ connectionString, gatherMs: GATHER_MS, journal, logger, metrics });
  const reader = createReader({
    connectionString,
    journal: later,
    localProgress: projector.progress,
    onIdleError: () => undefined,
  });
  const { freshness, progress, readModels } = reader;
  const names = await openNames({ connectionString, shard: 'main' });
  const commandSide = createCommandSide({
    journal,
    settings: { ...DEFAULT_SETTINGS, startingBalanceUnits: Math.round(options.startingBalance * 10_000) },
    acceptClock: 'on',
    build: BUILD,
    shard: 'main',
    readModel: readModelOf(readModels, progress),
    names,
    fingerprintSecret: secret('fingerprints'),
    projections: () => Promise.resolve([]),
    onFenced: onFailed,
    logger,
    metrics,
    clock,
  });
  const querySide = createQuerySide({
    readModels,
    journal: later,
    pages: pagesOf(later),
    cursorSecret: Promise.resolve(secret('cursors')),
    freshness,
    progress,
    version: VERSION,
    complianceMode: DEFAULT_SETTINGS.complianceMode,
    isEmailConfigured: () => Promise.resolve(false),
    isHealthy: () => commandSide.ready() && projector.status().state === 'running',
    now: clock.now,
    logger,
  });
  const { authenticate } = querySide;
  const streams = openStreams({ authenticate, clock, logger, metrics, reader, shown: options.shown });
  return {
    routes: [
      ...[...commandSide.routes, ...querySide.routes].filter(({ endpoint }) => endpoint.auth !== 'operator'),
      ...streams.routes,
    ],
    writer: commandSide.writer,
    names,
    progress: projector.progress,
    authenticate: authenticateBy(() => commandSide.writer.state),
    metrics,
    async start() {
      await Promise.all([projector.start(), commandSide.start()]);
      querySide.start();
      await streams.start();
    },
    async stop() {
      await Promise.all([streams.stop(), commandSide.stop(0)]);
      await Promise.all([projector.stop(), querySide.stop(), names.close()]);
      await reader.close();
    },
  };
}

/** The streams of accounts, books and pulses. */
function openStreams(parts: {
  readonly authenticate: Authenticate;
  readonly clock: BacktestClock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly reader: Reader;
  readonly shown: ShownJournal;
}) {
  const { clock, reader, shown, ...shared } = parts;
  const { journalCheck, progress, readModels } = reader;
  const channel = createInProcessPulse();
  const pictures = createPictures(readModels, clock.now);
  const gateway = new StreamGateway({ ...shared, channel, journalCheck, pictures });
  const events = shownAccountEvents(createAccountEventSource(readModels, progress), shown.seq);
  const accounts = new AccountStreams({ ...shared, events, journalCheck });
  const books = new BookStreams({
    ...{ ...shared, accounts: accounts.feed, books: createBookSource(readModels, progress), journalCheck },
    journal: Promise.resolve(shown.journal),
  });
  const maker = createPulseMaker({ channel, onError: () => undefined, pictures });
  return {
    routes: [...gateway.routes, ...accounts.routes, ...books.routes],
    /** Resolves when every stream is answered: there is no second try in a backtest. */
    start() {
      for (const one of [gateway, accounts, books, maker]) one.start();
      return books.begun;
    },
    async stop() {
      gateway.stop();
      await Promise.all([maker.stop(), accounts.stop(), books.stop()]);
    },
  };
}

/** For routes that read nothing. */
function authenticateBy(state: () => State | null): Authenticate {
  return (keyHash) => {
    const now = state();
    const found = now === null ? null : findKeyOwner(now, keyHash);
    return Promise.resolve(found === null ? null : { ...found, kind: 'key' });
  };
}
