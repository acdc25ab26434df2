import { ApiError, endpoints, PULSE_INTERVAL_MS } from '@paper/contracts';
import { type Clock, type Pictures, type PulseChannel, type PulseMessage, systemClock } from '@paper/pulse';
import {
  createRetryLog,
  type Authenticate,
  type Logger,
  type Metrics,
  streamRoute,
  type StreamRoute,
} from '@paper/service-kit';
import { eventBytes, NO_PICTURE, PREAMBLE } from './event-text.ts';
import type { ServedJournal } from './served-journal.ts';
import { type View, Watchers } from './watchers.ts';

export interface StreamGatewaySettings {
  /** Where pulses come from. */
  readonly channel: PulseChannel;
  /** Where it makes them itself: for single markets, for the first watcher, and when none come. */
  readonly pictures: Pictures;
  /** Whether the pictures are of the journal; default: they always are. */
  readonly journalCheck?: ServedJournal;
  readonly authenticate: Authenticate;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** More are answered 503. Default 20,000. */
  readonly watchersMax?: number;
  /** One that has more than this left to read when a pulse is due is cut. Default 256 KiB. */
  readonly bufferedBytesMax?: number;
  /** What comes sooner after a pulse is not passed on: of two makers, or ours and theirs. Default 1,000. */
  readonly gapMs?: number;
  readonly clock?: Clock;
}

export interface StreamGateway {
  readonly routes: readonly StreamRoute[];
  start(): void;
  /** Ends every stream at once, and refuses new ones. Before the HTTP server stops, so that it has nothing to wait for. */
  stop(): void;
}

/** So long without a pulse, and the gateway makes them itself until one comes again. */
const SILENCE_MS = 1.5 * PULSE_INTERVAL_MS;

/** A picture as it is told, kept for those who come between two pulses. */
interface LatestPulse {
  readonly seq: number;
  readonly bytes: Buffer;
  readonly atMs: number;
}

/**
 * Tells every watcher the pulses of the channel as they come: each is made into bytes once. It is a follower of the
 * channel's rhythm, and its own clock when the channel is silent.
 */
export function createStreamGateway(settings: StreamGatewaySettings): StreamGateway {
  const {
    channel,
    pictures,
    logger,
    metrics,
    clock = systemClock,
    watchersMax = 20_000,
    gapMs = PULSE_INTERVAL_MS / 2,
  } = settings;
  const pulses = metrics.counter('paper_stream_pulses_total', 'Pulses told, by who made them', ['maker']);
  const dropped = metrics.counter('paper_stream_dropped_total', 'Watchers cut because they did not read');
  const watchers = new Watchers(settings.bufferedBytesMax ?? 256 * 1024, () => dropped.inc());
  metrics.gauge('paper_stream_watchers', 'Open streams', { collect: (gauge) => gauge.set(watchers.count) });

  const latestPulses = new Map<View, LatestPulse>();
  const pending = new Map<View, Promise<LatestPulse>>();
  let opening = 0;
  let stopping = false;
  const retries = createRetryLog(logger);
  let lastPulseMs = -Infinity;
  let cancelTimer = (): void => undefined;
  let unsubscribe = (): void => undefined;
  let stopChecking = (): void => undefined;

  const note = (view: View, message: PulseMessage): LatestPulse => {
    const one = { seq: message.seq, bytes: eventBytes(message), atMs: clock.now() };
    latestPulses.set(view, one);
    return one;
  };

  /** What a watcher is told first: the latest pulse, or a picture of now, taken once for all who wait for it. */
  const firstPicture = (view: View): Promise<LatestPulse> => {
    const latest = latestPulses.get(view);
    if (latest !== undefined && clock.now() - latest.atMs < SILENCE_MS) return Promise.resolve(latest);
    let taking = pending.get(view);
    if (taking === undefined) {
      taking = takePicture(view).finally(() => pending.delete(view));
      pending.set(view, taking);
    }
    return taking;
  };

  const takePicture = async (view: View): Promise<LatestPulse> => {
    const message = await (view === null ? pictures.mostActive() : pictures.of([view]));
    if (view !== null && message.pulse.markets.length === 0) {
      throw new ApiError('market_not_found', `No market has the id ${view}`);
    }
    return note(view, message);
  };

  /** Tells all: first those who watch the most active, then those who watch one market. */
  const broadcast = (message: PulseMessage, maker: 'channel' | 'gateway'): void => {
    const nowMs = clock.now();
    if (stopping || nowMs - lastPulseMs < gapMs) return;
    lastPulseMs = nowMs;
    pulses.inc({ maker });
    watchers.send(null, note(null, message).bytes);

    const watched = watchers.markets();
    for (const view of latestPulses.keys()) if (view !== null && !watched.includes(view)) latestPulses.delete(view);
    if (watched.length > 0) broadcastMarkets(watched, message);
  };

  const broadcastMarkets = (watched: readonly string[], { seq, pulse }: PulseMessage): void => {
    const entries = new Map(pulse.markets.map((entry) => [entry.id, entry]));
    const others: string[] = [];
    for (const id of watched) {
      const entry = entries.get(id);
      if (entry === undefined) others.push(id);
      else watchers.send(id, note(id, { seq, pulse: { ts: pulse.ts, markets: [entry] } }).bytes);
    }
    if (others.length === 0) return;
    pictures.of(others).then(
      (message) => {
        for (const entry of message.pulse.markets) {
          const alone = { seq: message.seq, pulse: { ts: message.pulse.ts, markets: [entry] } };
          watchers.send(entry.id, note(entry.id, alone).bytes);
        }
      },
      (error: unknown) => {
        retries.failed('the markets of single watchers cannot be read', error);
        for (const id of others) watchers.send(id, NO_PICTURE);
      },
    );
  };

  const awaitPulse = (ms: number): void => {
    cancelTimer();
    cancelTimer = clock.after(ms, onSilence);
  };

  const onSilence = (): void => {
    awaitPulse(PULSE_INTERVAL_MS);
    if (watchers.count === 0) {
      latestPulses.clear();
      return;
    }
    pictures.mostActive().then(
      (message) => broadcast(message, 'gateway'),
      (error: unknown) => {
        retries.failed('no pulse came, and none can be made', error);
        watchers.sendToAll(NO_PICTURE);
      },
    );
  };

  const assertServing = (): void => {
    if (stopping) throw new ApiError('unavailable', 'The service is stopping');
    settings.journalCheck?.assertNone();
  };

  const open = streamRoute(
    endpoints.streamMarkets,
    async (_caller, { query }, begin) => {
      const view = query.marketId ?? null;
      assertServing();
      if (watchers.count + opening >= watchersMax) {
        throw new ApiError('unavailable', 'Too many are watching; try again later', 503, { 'retry-after': '10' });
      }
      opening += 1;
      try {
        const { seq, bytes } = await firstPicture(view);
        assertServing();
        const stream = begin(seq, Buffer.concat([PREAMBLE, bytes]), () => watchers.remove(view, stream));
        watchers.add(view, stream);
      } finally {
        opening -= 1;
      }
    },
    settings.authenticate,
  );

  return {
    routes: [open],
    start() {
      stopChecking =
        settings.journalCheck?.onDivergence(() => {
          latestPulses.clear();
          watchers.end();
        }) ?? stopChecking;
      unsubscribe = channel.subscribe((message) => {
        broadcast(message, 'channel');
        awaitPulse(SILENCE_MS);
      });
      awaitPulse(SILENCE_MS);
    },
    stop() {
      stopping = true;
      unsubscribe();
      stopChecking();
      cancelTimer();
      watchers.end();
    },
  };
}
