import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { VERSION } from '@paper/contracts';
import { parseInstant } from '@paper/contracts/units';
import { RULES_VERSION } from '@paper/exchange';
import { createApp, createOperators, startServer } from '@paper/http';
import { createLogger, writePrivateFile } from '@paper/runtime';
import { openTape } from '@paper/tapes';
import { TapePlayer } from '../play/player.ts';
import { JOURNAL_FILE, RECORD_FILE } from '../protocol.ts';
import type { BacktestMessage, BacktestRecord, BacktestStart } from '../protocol.ts';
import { BacktestClock } from './backtest-clock.ts';
import { clockRoutes } from './clock-routes.ts';
import type { TurnParts } from './clock-routes.ts';
import { createDatabase, dropDatabase } from './database.ts';
import { openExchange } from './exchange.ts';
import { Feed } from './feed.ts';
import { FiledEvents } from './filed-events.ts';
import { Pace } from './pace.ts';
import { Participants } from './participants.ts';
import { Playback } from './playback.ts';
import { READABLE_MS, serveInTurns } from './serve-in-turns.ts';
import { Turns } from './turns.ts';

const LOOK_MS = 1_000;
const IDLE_MS = 3_600_000;
const MEMORY_MAX = 300 * 1024 * 1024;
/** The time limit for the arrival of a request, a day: requests arrive long before their turn. */
const ARRIVAL_MS = 24 * 3_600_000;

export class Backtest {
  readonly #journal: FiledEvents;
  readonly #feed: Feed;
  readonly #pace = new Pace();
  readonly #logger = createLogger({ level: 'warn', name: 'backtest' });
  readonly #stops: (() => unknown)[] = [];
  readonly #leftOut: BacktestRecord['leftOut'] = [];
  #end: BacktestRecord['end'] = null;
  /** The reason to end before the tape does. */
  #why: string | null = null;
  #calledMs = performance.now();
  #writeRecord: () => void = () => undefined;

  constructor(
    private readonly options: BacktestStart,
    private readonly send: (message: BacktestMessage) => void,
    private readonly memoryBytes: () => number,
  ) {
    this.#journal = new FiledEvents(join(options.folder, JOURNAL_FILE));
    this.#feed = new Feed(this.#journal, options.settings.feedLatencyMs);
  }

  async start(): Promise<void> {
    const { database, databaseUrl, folder, id, settings } = this.options;
    this.#stops.push(() => dropDatabase(databaseUrl, database));
    const [tape] = await Promise.all([
      openTape(this.options.tape, settings.seed),
      createDatabase(databaseUrl, database),
    ]);
    const { summary, trades } = tape;
    const [feed, journal] = [this.#feed, this.#journal];
    const clock = new BacktestClock(parseInstant(settings.from ?? summary.from));
    const logger = this.#logger;
    const exchange = await openExchange(this.options, { clock, feed, journal, logger, onFailed: this.#fail });
    this.#stops.push(exchange.stop);
    await exchange.start();
    const participants = new Participants(exchange, feed);
    const keys = await participants.open(settings.participants);
    const player = new TapePlayer(exchange, summary);
    const houses = await player.start();
    // The accounts and markets of the start are no news for participants.
    feed.take(clock.now(), 0);
    const endMs = Math.max(clock.now(), Math.min(parseInstant(settings.to ?? summary.to), parseInstant(summary.to)));
    const playback = new Playback(exchange, feed, journal, player, tape.events(), endMs);
    await playback.begin();
    const { accountIds } = participants;
    this.#writeRecord = () => {
      const record: BacktestRecord = {
        ...{ id, settings, houses, participants: accountIds },
        subAccounts: accountIds.map((accountId) => feed.subAccountsOf(accountId)),
        ...{ tape: summary, trades, unfunded: player.unfunded, rulesVersion: RULES_VERSION, build: VERSION },
        ...{ leftOut: this.#leftOut, end: this.#end },
      };
      writePrivateFile(join(folder, RECORD_FILE), `${JSON.stringify(record, null, 2)}\n`);
    };
    const turns = this.#createTurns(participants, playback);
    await this.#listen({ exchange, feed, participants, playback, turns });
    this.#writeRecord();
    this.#watch(playback, turns);
    this.send({ state: 'running', participants: accountIds, keys, events: summary.events, ...playback.progress });
    turns.start();
  }

  #createTurns(participants: Participants, playback: Playback): Turns {
    return new Turns({
      accountIds: participants.accountIds,
      patienceMs: this.options.settings.patienceSeconds * 1_000,
      now: playback.now,
      settle: () => playback.settle(),
      playNext: async (untilMs) => {
        await this.#pace.rest();
        this.#why ??= playback.limit;
        return this.#why === null && (await playback.next(untilMs));
      },
      onWoken: () => this.send(playback.progress),
      onLeftOut: async (accountId) => {
        this.#leftOut.push({ accountId, at: playback.progress.clock });
        this.#writeRecord();
        await participants.cancelOrders(accountId);
      },
      onOver: () => {
        this.#journal.write();
        const { progress } = playback;
        this.#end = { at: progress.clock, why: this.#why };
        this.#writeRecord();
        this.send({ state: 'ended', ...progress, why: this.#why });
      },
      onFailed: this.#fail,
    });
  }

  async #listen(parts: TurnParts): Promise<void> {
    const { socket, settings } = this.options;
    const { exchange } = parts;
    const logger = this.#logger;
    const app = createApp({
      handlerMs: READABLE_MS,
      logger,
      metrics: exchange.metrics,
      operators: createOperators([]),
      rateLimiter: null,
      routes: [...exchange.routes, ...clockRoutes(parts)],
    });
    const serve = serveInTurns(app, parts, {
      latencyMs: settings.latencyMs,
      isFeedLate: settings.feedLatencyMs > 0,
      logger,
      onNewSubAccount: () => this.#writeRecord(),
    });
    const listener: RequestListener = (request, response) => {
      this.#calledMs = performance.now();
      serve(request, response);
    };
    const server = await startServer(listener, { host: '', port: 0, socket, arrivalMs: ARRIVAL_MS });
    this.#stops.push(() => server.close(100));
  }

  /** Reports the progress, and ends the backtest when it uses too much. */
  #watch(playback: Playback, turns: Turns): void {
    const timer = setInterval(() => {
      if (turns.isOver) return;
      this.send(playback.progress);
      this.#why ??= this.#excess();
      // While the clock moves, the present moment is played to its end first.
      if (this.#why !== null && turns.waitedFor.length > 0) turns.end();
    }, LOOK_MS);
    this.#stops.push(() => clearInterval(timer));
  }

  /** The backtest rests between moments while the live exchange is busy. */
  set isLiveBusy(isBusy: boolean) {
    this.#pace.isLiveBusy = isBusy;
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
    this.#journal.close();
  }

  #excess(): string | null {
    if (performance.now() - this.#calledMs > IDLE_MS) return 'nobody called for an hour';
    return this.memoryBytes() > MEMORY_MAX ? 'it took more than 300 MB of memory' : null;
  }

  readonly #fail = (error: unknown): void => {
    this.send({ state: 'failed', why: error instanceof Error ? error.message : String(error) });
  };
}
