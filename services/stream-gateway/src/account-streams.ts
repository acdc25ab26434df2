import { ApiError, endpoints } from '@paper/contracts';
import type { KeyCaller } from '@paper/contracts';
import { every, systemClock } from '@paper/timing';
import type { Clock } from '@paper/timing';
import { assertOwnsFleet, streamRoute } from '@paper/http';
import type { Authenticate, BeginStream, StreamRoute } from '@paper/http';
import { createRetryLog } from '@paper/runtime';
import type { Logger, Metrics, RetryLog } from '@paper/runtime';
import type { AccountEventAnswer, AccountEventSource, JournalCheck } from '@paper/read-models';
import { AccountFeed } from './account-feed.ts';
import { AccountFollower } from './account-follower.ts';
import { AccountReplays } from './account-replays.ts';
import { AccountWatch, KEEP_ALIVE, preamble } from './account-watch.ts';
import type { WatchScope } from './account-watch.ts';
import { AccountWatches } from './account-watches.ts';
import type { DeliveryTrace } from './delivery-trace.ts';
import { assertReached, lastEventId } from './last-event-id.ts';
import { ReplayPace } from './replay-pace.ts';

export interface AccountStreamsSettings {
  readonly events: AccountEventSource;
  readonly journalCheck?: Pick<JournalCheck, 'assertNone' | 'onDivergence'>;
  readonly authenticate: Authenticate;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly trace?: DeliveryTrace | null;
  /** The most open streams; further ones are answered with 503. Default 10,000. */
  readonly streamsMax?: number;
  /** A stream with more unread bytes than this ends at the next event. Default 256 KiB. */
  readonly bufferedBytesMax?: number;
  /** The number of rows of each kind in one read. Default 500. */
  readonly pageSize?: number;
  /** A stream that resumes at most this many sequences behind is read with the live ones. Default 1,000. */
  readonly nearSequences?: number;
  readonly clock?: Clock;
}

const KEEP_ALIVE_MS = 15_000;

/**
 * Sends accounts the events of their orders, positions and cash. Each stream keeps the sequence up to which everything
 * was sent, and gets only later events, so each event is sent exactly once.
 */
export class AccountStreams {
  readonly routes: readonly StreamRoute[];
  readonly #settings: AccountStreamsSettings;
  readonly #clock: Clock;
  readonly #retries: RetryLog;
  readonly #watches: AccountWatches;
  readonly #follower: AccountFollower;
  readonly #replays: AccountReplays;
  readonly feed: AccountFeed;
  readonly #pace: ReplayPace;
  readonly #stopping = new AbortController();
  #stopKeepAlive = (): void => undefined;
  #stopChecking = (): void => undefined;

  constructor(settings: AccountStreamsSettings) {
    const { events, metrics, clock = systemClock, pageSize = 500, bufferedBytesMax = 256 * 1024 } = settings;
    this.#settings = settings;
    this.#clock = clock;
    this.#retries = createRetryLog(settings.logger);
    this.#watches = new AccountWatches(settings.streamsMax ?? 10_000);
    const { onEvents, drop } = this.#count(metrics);
    const onRead = (by: 'live' | 'replay') => (page: AccountEventAnswer) => onEvents(by, page.events.length);
    this.#pace = new ReplayPace(clock);
    this.feed = new AccountFeed({
      bufferedBytesMax,
      drop,
      retries: this.#retries,
      onEvents: (count) => onEvents('live', count),
      onBegun: () => this.#follower.wake(),
      onLost: (watch) => this.#follower.join(watch),
      trace: settings.trace ?? null,
    });
    const parts = { events, clock, pageSize, bufferedBytesMax, drop, pace: this.#pace };
    this.#follower = new AccountFollower({
      ...parts,
      retries: this.#retries,
      feed: this.feed,
      onRead: onRead('live'),
      trace: settings.trace ?? null,
    });
    this.#replays = new AccountReplays({ ...parts, onRead: onRead('replay') });
    metrics.gauge('paper_account_stream_replays', "Accounts' streams that are told what they missed", {
      collect: (gauge) => gauge.set(this.#replays.count),
    });
    metrics.gauge('paper_account_streams_live', "Accounts' streams that get events from the journal itself", {
      collect: (gauge) => gauge.set(this.feed.count),
    });
    this.routes = [
      streamRoute(
        endpoints.streamAccount,
        (caller, { query, lastEventIds }, begin) =>
          this.#open(caller, scopeOf(caller, query.fleet), lastEventId(lastEventIds), begin),
        settings.authenticate,
      ),
    ];
  }

  start(): void {
    const { journalCheck } = this.#settings;
    this.#stopChecking = journalCheck?.onDivergence(() => this.#watches.end()) ?? this.#stopChecking;
    this.#stopKeepAlive = every(KEEP_ALIVE_MS, () => void this.#watches.spread(KEEP_ALIVE), this.#clock);
  }

  /** Ends every stream at once and refuses new ones; resolves when no read is in progress. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#stopKeepAlive();
    this.#stopChecking();
    this.#watches.end();
    await Promise.all([this.#follower.stop(), this.#replays.stop()]);
  }

  #count(metrics: Metrics) {
    metrics.gauge('paper_account_streams', "Open streams of accounts' events", {
      collect: (gauge) => gauge.set(this.#watches.count),
    });
    const read = metrics.counter('paper_account_stream_events_total', "Events read or made for accounts' streams", [
      'by',
    ]);
    const dropped = metrics.counter('paper_account_stream_dropped_total', "Accounts' streams cut: they did not read");
    return {
      onEvents: (by: 'live' | 'replay', count: number): void => read.inc({ by }, count),
      drop: (watch: AccountWatch): void => {
        dropped.inc();
        watch.cut();
      },
    };
  }

  async #open(caller: KeyCaller, scope: WatchScope, lastSeq: number | null, begin: BeginStream): Promise<void> {
    const { accountId, keyId, primaryAccountId } = caller;
    this.#assertServing(accountId);
    const seq = await this.#settings.events.seq();
    if (lastSeq !== null) assertReached(lastSeq, seq);
    this.#assertServing(accountId);
    const isFar = lastSeq !== null && seq - lastSeq > (this.#settings.nearSequences ?? 1_000);
    if (isFar) this.#replays.assertRoom(accountId);
    const watch = new AccountWatch(accountId, keyId, scope, lastSeq ?? seq, primaryAccountId ?? accountId, seq);
    this.#watches.add(watch);
    watch.opened(begin(seq, preamble(watch.sentSeq), () => this.#remove(watch)));
    if (isFar) this.#replayThenJoin(watch);
    else if (watch.sentSeq < seq) void this.#joinAtPace(watch);
    else this.#follower.join(watch);
  }

  async #joinAtPace(watch: AccountWatch): Promise<void> {
    await this.#pace.turn(watch.lane.fleet, 0, this.#stopping.signal);
    this.#follower.join(watch);
  }

  #assertServing(accountId: string): void {
    if (this.#stopping.signal.aborted) throw new ApiError('unavailable', 'The service is stopping');
    this.#settings.journalCheck?.assertNone();
    this.#watches.assertRoom(accountId);
  }

  #remove(watch: AccountWatch): void {
    watch.closed();
    this.#watches.remove(watch);
    this.#follower.leave(watch);
    this.feed.leave(watch);
  }

  #replayThenJoin(watch: AccountWatch): void {
    this.#replays.start(watch, (result) => {
      if ('error' in result) {
        if (!this.#stopping.signal.aborted) {
          this.#retries.failed('the events that an account missed cannot be read', result.error);
        }
        watch.end();
      } else if (result.here) {
        this.#follower.join(watch);
      }
    });
  }
}

export function scopeOf(caller: KeyCaller, fleet: 'true' | undefined): WatchScope {
  if (fleet === undefined) return 'account';
  const text = "The whole fleet's stream needs a key with the permissions master and trade";
  assertOwnsFleet(caller, ['master', 'trade'], text);
  return 'fleet';
}
