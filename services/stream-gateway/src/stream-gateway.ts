import { ApiError, endpoints } from '@paper/contracts';
import { PULSE_INTERVAL_MS } from '@paper/contracts/markets';
import type { MarketSnapshots, PulseChannel, PulseMessage } from '@paper/pulse';
import type { JournalCheck } from '@paper/read-models';
import { systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';
import { streamRoute } from '@paper/http';
import type { Authenticate, BeginStream, StreamRoute } from '@paper/http';
import { createRetryLog } from '@paper/runtime';
import type { Logger, Metrics, RetryLog } from '@paper/runtime';
import type { z } from 'zod';
import { NO_PULSE_COMMENT, PREAMBLE } from './event-text.ts';
import { LatestSnapshots } from './latest-snapshots.ts';
import { PulseRhythm } from './pulse-rhythm.ts';
import type { PulseMaker } from './pulse-rhythm.ts';
import { Watchers } from './watchers.ts';
import type { WatchedMarkets } from './watchers.ts';

export interface StreamGatewaySettings {
  readonly channel: PulseChannel;
  readonly snapshots: MarketSnapshots;
  readonly journalCheck?: Pick<JournalCheck, 'assertNone' | 'onDivergence'>;
  readonly authenticate: Authenticate;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly watchersMax?: number;
  /** A watcher with more unread bytes than this is disconnected at the next pulse. Default 256 KiB. */
  readonly bufferedBytesMax?: number;
  /** The least time between two pulses in ms; one that comes sooner is dropped. Default 1,000. */
  readonly gapMs?: number;
  /** How long new watchers get a snapshot that was read for another one, in ms. Default 3,000. */
  readonly keptMs?: number;
  readonly clock?: Clock;
}

/**
 * Sends watchers the channel's pulses: snapshots of the most active markets, every 2 s, each encoded once. Makes them
 * itself while the channel is silent.
 */
export class StreamGateway {
  readonly routes: readonly StreamRoute[];
  readonly #settings: StreamGatewaySettings;
  readonly #watchersMax: number;
  readonly #watchers: Watchers;
  readonly #latest: LatestSnapshots;
  readonly #rhythm: PulseRhythm;
  readonly #retries: RetryLog;
  readonly #countPulse: (maker: PulseMaker) => void;
  #state: 'serving' | 'stopping' = 'serving';
  #opening = 0;
  #stopChecking = (): void => undefined;

  constructor(settings: StreamGatewaySettings) {
    const { channel, snapshots, metrics, clock = systemClock, gapMs = PULSE_INTERVAL_MS / 2 } = settings;
    this.#settings = settings;
    this.#watchersMax = settings.watchersMax ?? 20_000;
    this.#retries = createRetryLog(settings.logger);
    const pulses = metrics.counter('paper_stream_pulses_total', 'Pulses sent to watchers, by maker', ['maker']);
    this.#countPulse = (maker) => pulses.inc({ maker });
    const dropped = metrics.counter('paper_stream_dropped_total', 'Watchers cut because they did not read');
    const watchers = new Watchers(settings.bufferedBytesMax ?? 256 * 1024, () => dropped.inc());
    metrics.gauge('paper_stream_watchers', 'Open streams', { collect: (gauge) => gauge.set(watchers.count) });
    this.#watchers = watchers;
    this.#latest = new LatestSnapshots(snapshots, clock, settings.keptMs);
    this.#rhythm = new PulseRhythm({
      channel,
      clock,
      gapMs,
      onPulse: (message, maker) => this.#broadcast(message, maker),
      onSilence: () => this.#makePulse(),
    });
    this.routes = [
      streamRoute(
        endpoints.streamMarkets,
        (_caller, { query }, begin) => this.#open(viewOf(query), begin),
        settings.authenticate,
      ),
    ];
  }

  start(): void {
    const endStreams = (): void => {
      this.#latest.clear();
      this.#watchers.end();
    };
    this.#stopChecking = this.#settings.journalCheck?.onDivergence(endStreams) ?? this.#stopChecking;
    this.#rhythm.start();
  }

  /** Ends every stream, and refuses new ones, before the HTTP server stops, which would wait for them. */
  stop(): void {
    this.#state = 'stopping';
    this.#rhythm.stop();
    this.#stopChecking();
    this.#watchers.end();
  }

  async #open(view: WatchedMarkets, begin: BeginStream): Promise<void> {
    this.#assertServing();
    if (this.#watchers.count + this.#opening >= this.#watchersMax) {
      throw new ApiError('unavailable', 'Too many are watching; try again later', 503, { 'retry-after': '10' });
    }
    this.#opening += 1;
    try {
      const { seq, bytes } = await this.#latest.first(view);
      this.#assertServing();
      const stream = begin(seq, Buffer.concat([PREAMBLE, bytes]), () => this.#watchers.remove(view, stream));
      this.#watchers.add(view, stream);
    } finally {
      this.#opening -= 1;
    }
  }

  #assertServing(): void {
    if (this.#state === 'stopping') throw new ApiError('unavailable', 'The service is stopping');
    this.#settings.journalCheck?.assertNone();
  }

  /** Sends the pulse to all: first to watchers of the most active markets, then to those that named their markets. */
  #broadcast(message: PulseMessage, maker: PulseMaker): void {
    this.#countPulse(maker);
    const { bytes, snapshot } = this.#latest.keepPulse(message);
    const lists = this.#watchers.lists();
    const active = lists.filter((marketIds) => snapshot.has(marketIds));
    this.#watchers.spread([
      { bytes, view: null },
      ...active.map((marketIds) => ({ bytes: snapshot.event(marketIds), view: marketIds })),
    ]);
    const others = lists.filter((marketIds) => !snapshot.has(marketIds));
    if (others.length > 0) this.#readOthers(others);
    else this.#latest.forgetOthers();
  }

  /** Reads the watched markets that are not among the most active, in one query, so that all have the same sequence. */
  #readOthers(lists: readonly (readonly string[])[]): void {
    this.#settings.snapshots.of([...new Set(lists.flat())]).then(
      (message) => {
        const snapshot = this.#latest.keepOthers(message);
        this.#watchers.spread(lists.map((marketIds) => ({ bytes: snapshot.event(marketIds), view: marketIds })));
      },
      (error: unknown) => {
        this.#retries.failed('the markets that watchers named cannot be read', error);
        this.#watchers.spread(lists.map((view) => ({ bytes: NO_PULSE_COMMENT, view })));
      },
    );
  }

  #makePulse(): void {
    if (this.#watchers.count === 0) {
      this.#latest.clear();
      return;
    }
    this.#settings.snapshots.mostActive().then(
      (message) => this.#rhythm.offer(message, 'gateway'),
      (error: unknown) => {
        this.#retries.failed('no pulse arrived, and none can be made from the read models', error);
        this.#watchers.spreadToAll(NO_PULSE_COMMENT);
      },
    );
  }
}

function viewOf({ marketId, marketIds }: z.output<typeof endpoints.streamMarkets.query>): WatchedMarkets {
  if (marketIds === undefined) return marketId === undefined ? null : [marketId];
  if (marketId === undefined) return marketIds;
  throw new ApiError('validation_failed', 'validation failure: marketIds: give either marketId or marketIds, not both');
}
