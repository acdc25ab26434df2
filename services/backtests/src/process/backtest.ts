import { join } from 'node:path';
import { useRandomness } from '@paper/command-side';
import { VERSION } from '@paper/contracts';
import { iso, parseInstant } from '@paper/contracts/units';
import { findKeyOwner, RULES_VERSION } from '@paper/exchange';
import { createApp, createOperators, hashKey, startServer } from '@paper/http';
import { createMemoryJournal, createMemoryLog } from '@paper/journal';
import { createLogger, writePrivateFile } from '@paper/runtime';
import { openTape } from '@paper/tapes';
import { TapePlayer } from '../play/player.ts';
import { JOURNAL_FILE, RECORD_FILE } from '../protocol.ts';
import type { BacktestMessage, BacktestRecord, BacktestStart } from '../protocol.ts';
import { BacktestClock } from './backtest-clock.ts';
import { clockRoutes } from './clock-routes.ts';
import { connectionStringOf, createDatabase, dropDatabase, lowerBackendsOf } from './database.ts';
import { serveInTurns } from './serve-in-turns.ts';
import { openExchange } from './exchange.ts';
import type { BacktestExchange } from './exchange.ts';
import { Feed } from './feed.ts';
import { FiledEvents } from './filed-events.ts';
import { Moments } from './moments.ts';
import { Pace } from './pace.ts';
import { Playback } from './playback.ts';
import { seededRandomness } from './seeded-randomness.ts';
import { createShownJournal } from './shown-journal.ts';
import { Turns } from './turns.ts';
import { DirectExchange } from './direct-exchange.ts';
import type { Participant } from './direct-exchange.ts';

const LOOK_MS = 1_000;
const IDLE_MS = 3_600_000;
const READABLE_MS = 60_000;
/** The longest wait of a read without a key, which need not wait for the present state. */
const PUBLIC_MS = 2_000;
const MEMORY_MAX = 300 * 1024 * 1024;
/** The time limit for the arrival of a request, a day: requests arrive long before their turn. */
const ARRIVAL_MS = 24 * 3_600_000;

export class Backtest {
  readonly #keys = new Map<string, string>();
  readonly #events: FiledEvents;
  readonly #feed: Feed;
  readonly #shown: ReturnType<typeof createShownJournal>;
  readonly #leftOut: BacktestRecord['leftOut'][number][] = [];
  readonly #participants: Participant[] = [];
  readonly #logger = createLogger({ level: 'warn', name: 'backtest' });
  #end: BacktestRecord['end'] = null;
  #why: string | null = null;
  #calledMs = performance.now();
  #record: () => void = () => undefined;
  readonly #pace = new Pace();
  readonly #parts: (() => unknown)[] = [];

  constructor(
    private readonly options: BacktestStart,
    private readonly send: (message: BacktestMessage) => void,
    private readonly memoryBytes: () => number,
  ) {
    this.#events = new FiledEvents(join(options.folder, JOURNAL_FILE));
    this.#shown = createShownJournal(this.#events, () => this.#feed.progress.seq);
    this.#feed = new Feed(options.settings.feedLatencyMs, () => this.#shown.wake());
  }

  async start(): Promise<void> {
    const { database, databaseUrl, settings } = this.options;
    this.#parts.push(() => dropDatabase(databaseUrl, database));
    const [tape] = await Promise.all([
      openTape(this.options.tape, settings.seed),
      createDatabase(databaseUrl, database),
    ]);
    const { summary } = tape;
    const direct = await this.#openExchange(parseInstant(settings.from ?? summary.from));
    const { clock } = direct;
    await this.#openParticipants(direct);
    const player = new TapePlayer(direct.played, summary);
    const houses = await player.start();
    // The accounts and markets of the start are no news for participants.
    this.#feed.take(this.#events.slice(), clock.now(), 0);
    const playback = new Playback({
      clock,
      endMs: Math.max(clock.now(), Math.min(parseInstant(settings.to ?? summary.to), parseInstant(summary.to))),
      feed: this.#feed,
      journal: this.#events,
      moments: new Moments(tape.events()),
      player,
      pulse: direct.exchange.pulse,
      direct,
    });
    await playback.begin();
    const participants = this.#participants.map(({ accountId }) => accountId);
    const { trades } = tape;
    this.#record = () => {
      const subAccounts = participants.map((id) => this.#feed.subAccountsOf(id));
      this.#write({ houses, participants, subAccounts, tape: summary, trades, unfunded: player.unfunded });
    };
    const turns = this.#createTurns(direct, playback);
    await this.#listen(direct, playback, turns);
    this.#record();
    this.#watch(clock, playback, turns);
    const { eventsDone } = playback;
    this.send({ kind: 'running', participants, clock: iso(clock.now()), events: summary.events, eventsDone });
    turns.start();
  }

  async #openExchange(startMs: number): Promise<DirectExchange> {
    const { database, databaseUrl, settings } = this.options;
    const clock = new BacktestClock(startMs);
    let exchange: BacktestExchange | null = null;
    const randomness = seededRandomness(
      settings.seed,
      clock.now,
      () => exchange?.writer.state?.seq ?? 0,
      (given, known) => this.#keys.set(given, known),
    );
    useRandomness(randomness);
    const journal = createMemoryJournal(createMemoryLog(this.#events));
    this.#parts.push(() => useRandomness(null));
    exchange = await openExchange({
      connectionString: connectionStringOf(databaseUrl, database),
      onBackend: lowerBackendsOf(database),
      journal,
      shown: this.#shown.journal,
      feed: this.#feed,
      clock,
      startingBalance: settings.startingBalance,
      secret: randomness.secret,
      logger: this.#logger,
      onFailed: this.#fail,
    });
    this.#parts.push(exchange.stop);
    await exchange.start();
    return new DirectExchange(exchange, randomness, clock);
  }

  async #openParticipants(direct: DirectExchange): Promise<void> {
    const { keys, settings } = this.options;
    for (const [index, given] of keys.slice(0, settings.participants).entries()) {
      const { known, ...participant } = await direct.openParticipant(`Participant ${index + 1}`);
      this.#keys.set(given, known);
      this.#participants.push(participant);
      this.#feed.follow(participant.accountId, direct.cashOf(participant.accountId), direct.state().seq);
    }
  }

  #createTurns(direct: DirectExchange, playback: Playback): Turns {
    const { clock } = direct;
    return new Turns({
      accountIds: this.#participants.map(({ accountId }) => accountId),
      patienceMs: this.options.settings.patienceSeconds * 1_000,
      now: clock.now,
      settle: () => playback.settle(),
      playNext: async (untilMs) => {
        await this.#pace.rest();
        this.#why ??= playback.limit;
        return this.#why === null && (await playback.next(untilMs));
      },
      onLeftOut: async (accountId) => {
        this.#leftOut.push({ accountId, at: iso(clock.now()) });
        this.#record();
        const participant = this.#participants.find((one) => one.accountId === accountId);
        if (participant !== undefined) await direct.cancelOrders(participant);
      },
      onOver: () => {
        this.#events.write();
        this.#end = { at: iso(clock.now()), why: this.#why };
        this.#record();
        this.send({ kind: 'progress', clock: iso(clock.now()), eventsDone: playback.eventsDone });
        this.send({ kind: 'ended', clock: iso(clock.now()), why: this.#why });
      },
      onFailed: this.#fail,
    });
  }

  async #listen({ clock, exchange, ownerOf, randomness, state }: DirectExchange, playback: Playback, turns: Turns) {
    const turnOf = (accountId: string): number | null => {
      const turn = this.#participants.findIndex((one) => one.accountId === ownerOf(accountId));
      return turn === -1 ? null : turn;
    };
    const { authenticate, metrics, progress, writer } = exchange;
    const seq = (): number => writer.durable.seq;
    const settle = (): Promise<void> => playback.settle();
    const clockOnes = clockRoutes({ authenticate, feed: this.#feed, now: clock.now, seq, settle, turnOf, turns });
    const app = createApp({
      handlerMs: READABLE_MS,
      logger: this.#logger,
      metrics,
      operators: createOperators([]),
      rateLimiter: null,
      routes: [...exchange.routes, ...clockOnes],
    });
    const listener = serveInTurns({
      app,
      logger: this.#logger,
      turns,
      now: clock.now,
      latencyMs: this.options.settings.latencyMs,
      feedTime: this.options.settings.feedLatencyMs === 0 ? null : () => this.#feed.markets.nowMs,
      knownKey: (given) => this.#keys.get(given) ?? null,
      turnOf: (known) => {
        const owner = findKeyOwner(state(), hashKey(known));
        return owner === null ? null : turnOf(owner.accountId);
      },
      onRequest: async () => {
        randomness.begin();
        await progress.reached(seq(), READABLE_MS);
      },
      readable: () => progress.reached(seq(), PUBLIC_MS),
      onServed: () => {
        if (this.#feed.take(this.#events.slice(this.#feed.seq), clock.now())) this.#record();
      },
      onCall: () => {
        this.#calledMs = performance.now();
      },
    });
    const { socket } = this.options;
    const server = await startServer(listener, { host: '', port: 0, socket, arrivalMs: ARRIVAL_MS });
    this.#parts.push(() => server.close(100));
  }

  /** Reports the progress, and ends the backtest when it uses too much. */
  #watch(clock: BacktestClock, playback: Playback, turns: Turns): void {
    let saidMs = clock.now();
    const timer = setInterval(() => {
      if (turns.isOver) return;
      const now = clock.now();
      if (now !== saidMs) this.send({ kind: 'progress', clock: iso(now), eventsDone: playback.eventsDone });
      saidMs = now;
      this.#why ??= this.#excess();
      // While the clock moves, the present moment is played to its end first.
      if (this.#why !== null && turns.waitedFor.length > 0) turns.end();
    }, LOOK_MS);
    this.#parts.push(() => clearInterval(timer));
  }

  /** The backtest rests between moments while the live exchange is busy. */
  set isLiveBusy(isBusy: boolean) {
    this.#pace.isLiveBusy = isBusy;
  }

  async stop(): Promise<void> {
    for (const stop of this.#parts.splice(0).reverse()) await stop();
    this.#events.close();
  }

  #excess(): string | null {
    if (performance.now() - this.#calledMs > IDLE_MS) return 'nobody called for an hour';
    return this.memoryBytes() > MEMORY_MAX ? 'it took more than 300 MB of memory' : null;
  }

  readonly #fail = (error: unknown): void => {
    this.send({ kind: 'failed', why: error instanceof Error ? error.message : String(error) });
  };

  #write(facts: Omit<BacktestRecord, 'build' | 'end' | 'id' | 'leftOut' | 'rulesVersion' | 'settings'>): void {
    const { folder, id, settings } = this.options;
    const record: BacktestRecord = {
      ...{ id, settings, ...facts, rulesVersion: RULES_VERSION, build: VERSION },
      ...{ leftOut: this.#leftOut, end: this.#end },
    };
    writePrivateFile(join(folder, RECORD_FILE), `${JSON.stringify(record, null, 2)}\n`);
  }
}
