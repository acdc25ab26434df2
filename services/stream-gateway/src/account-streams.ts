import { ApiError, endpoints, type KeyCaller } from '@paper/contracts';
import { type Clock, every, systemClock } from '@paper/pulse';
import {
  createRetryLog,
  type Authenticate,
  type Logger,
  type Metrics,
  streamRoute,
  type StreamRoute,
} from '@paper/service-kit';
import type { AccountEvents } from './account-events.ts';
import { AccountReplays } from './account-replays.ts';
import { AccountWatch, eventText, type EventText, KEEP_ALIVE, preamble } from './account-watch.ts';
import { assertReached, lastEventId } from './last-event-id.ts';
import type { ServedJournal } from './served-journal.ts';

export interface AccountStreamsSettings {
  readonly events: AccountEvents;
  /** Whether the events are of the journal; default: they always are. */
  readonly journalCheck?: ServedJournal;
  readonly authenticate: Authenticate;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** More are answered 503. Default 10,000. */
  readonly streamsMax?: number;
  /** One that has more than this left to read when something is to be told is cut. Default 256 KiB. */
  readonly bufferedBytesMax?: number;
  /** Rows of a kind that are read at once. Default 500. */
  readonly pageSize?: number;
  /** One that comes back so many sequences behind at most catches up together with the live ones. Default 1,000. */
  readonly nearSequences?: number;
  readonly clock?: Clock;
}

export interface AccountStreams {
  readonly routes: readonly StreamRoute[];
  start(): void;
  /** Ends every stream at once and refuses new ones; resolves when nothing is read any more. */
  stop(): Promise<void>;
}

/** Streams that one account may have open; the description of the endpoint names it. */
const CANNOT_READ = "accounts' events cannot be read";
const STREAMS_OF_ACCOUNT_MAX = 20;
const KEEP_ALIVE_MS = 15_000;
/** Readings for all streams begin this far apart at least, so that their cost has a bound whatever happens. */
const TURN_GAP_MS = 20;
/** And take this part of the time, with however many accounts. */
const TURN_SHARE = 0.25;
const PROGRESS_WAIT_MS = 10_000;
const AFTER_FAILURE_MS = 1_000;

/**
 * Tells accounts what happens to their orders. The read models are asked for all live streams together, one question
 * for all, from the sequence of the one that is furthest behind; a stream that comes back from far behind first catches
 * up by itself. Each stream knows how far it was told, and is told only what comes after: so nothing is missing and
 * nothing comes twice, wherever it joins.
 */
export function createAccountStreams(settings: AccountStreamsSettings): AccountStreams {
  const { events, logger, metrics, clock = systemClock, streamsMax = 10_000, pageSize = 500 } = settings;
  const { bufferedBytesMax = 256 * 1024, nearSequences = 1_000 } = settings;
  const open = new Set<AccountWatch>();
  const live = new Set<AccountWatch>();
  const ofAccount = new Map<string, number>();
  let following: Promise<void> | null = null;
  let progress: { readonly seq: number; readonly reached: Promise<boolean> } | null = null;
  let wake = (): void => undefined;
  let stopping = false;
  // It changes while something is waited for, which the compiler does not see.
  const isStopping = (): boolean => stopping;
  const retries = createRetryLog(logger);
  let stopKeepAlive = (): void => undefined;
  let stopChecking = (): void => undefined;

  metrics.gauge('paper_account_streams', "Open streams of accounts' events", {
    collect: (gauge) => gauge.set(open.size),
  });
  const eventsRead = metrics.counter('paper_account_stream_events_total', "Events read for accounts' streams", ['by']);
  const dropped = metrics.counter('paper_account_stream_dropped_total', "Accounts' streams cut: they did not read");

  const drop = (watch: AccountWatch): void => {
    dropped.inc();
    watch.cut();
  };

  const endAll = (): void => {
    for (const watch of open) watch.end();
  };

  const countOf = (accountId: string, change: 1 | -1): void => {
    const count = (ofAccount.get(accountId) ?? 0) + change;
    if (count === 0) ofAccount.delete(accountId);
    else ofAccount.set(accountId, count);
  };

  const remove = (watch: AccountWatch): void => {
    watch.closed();
    if (!open.delete(watch)) return;
    live.delete(watch);
    countOf(watch.accountId, -1);
  };

  const replays = new AccountReplays({
    events,
    clock,
    pageSize,
    bufferedBytesMax,
    onRead: (page) => eventsRead.inc({ by: 'replay' }, page.events.length),
    drop,
  });
  metrics.gauge('paper_account_stream_replays', "Accounts' streams that are told what they missed", {
    collect: (gauge) => gauge.set(replays.count),
  });

  const join = (watch: AccountWatch): void => {
    if (watch.gone || stopping) return;
    live.add(watch);
    wake();
    following ??= follow();
  };

  const replayThenJoin = (watch: AccountWatch): void =>
    replays.start(watch, (result) => {
      if ('error' in result) {
        if (!stopping) retries.failed('what an account missed cannot be read', result.error);
        watch.end();
      } else if (result.here) join(watch);
    });

  /** Reads for all live streams at once. Gives where it is when there is no more at this moment, else null. */
  const turn = async (): Promise<number | null> => {
    const watches = [...live];
    const page = await events.read({
      accountIds: [...new Set(watches.map(({ accountId }) => accountId))],
      keyIds: [...new Set(watches.map(({ keyId }) => keyId))],
      after: Math.min(...watches.map(({ sentSeq }) => sentSeq)),
      limit: 4 * pageSize,
    });
    eventsRead.inc({ by: 'live' }, page.events.length);
    const news = new Map<string, EventText[]>();
    for (const text of page.events.map(eventText)) {
      const own = news.get(text.accountId);
      if (own === undefined) news.set(text.accountId, [text]);
      else own.push(text);
    }
    for (const watch of watches) {
      const own = news.get(watch.accountId) ?? [];
      if (!page.liveKeys.has(watch.keyId)) watch.end();
      else if (own.length > 0 && watch.buffered > bufferedBytesMax) drop(watch);
      else watch.send(own, page.upTo);
    }
    return page.complete ? page.upTo : null;
  };

  /** While anybody listens: a turn whenever there is progress, or somebody new. */
  const follow = async (): Promise<void> => {
    const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));
    while (live.size > 0 && !stopping) {
      const joined = new Promise<void>((resolve) => (wake = resolve));
      const startedMs = clock.now();
      try {
        const upTo = await turn();
        retries.works(CANNOT_READ);
        if (upTo === null) continue;
        const gapMs = Math.max(TURN_GAP_MS, (clock.now() - startedMs) / TURN_SHARE);
        await Promise.race([joined, nextProgress(upTo + 1)]);
        const leftMs = gapMs - (clock.now() - startedMs);
        if (leftMs > 0) await pause(leftMs);
      } catch (error) {
        if (isStopping()) break;
        retries.failed(CANNOT_READ, error);
        await Promise.race([joined, pause(AFTER_FAILURE_MS)]);
      }
    }
    // Now and not a moment later: who joins then has to begin anew.
    following = null;
  };

  /** One waiting at a time, however many join meanwhile. */
  const nextProgress = (seq: number): Promise<boolean> => {
    if (progress === null || progress.seq < seq) {
      const reached = events.reached(seq, PROGRESS_WAIT_MS);
      const mine = { seq, reached };
      progress = mine;
      const done = (): void => {
        if (progress === mine) progress = null;
      };
      reached.then(done, done);
    }
    return progress.reached;
  };

  const assertRoom = (caller: KeyCaller): void => {
    if (stopping) throw new ApiError('unavailable', 'The service is stopping');
    settings.journalCheck?.assertNone();
    const later = { 'retry-after': '10' };
    if ((ofAccount.get(caller.accountId) ?? 0) >= STREAMS_OF_ACCOUNT_MAX) {
      const text = `This account has ${STREAMS_OF_ACCOUNT_MAX} streams open already`;
      throw new ApiError('rate_limited', text, undefined, later);
    }
    if (open.size >= streamsMax) {
      throw new ApiError('unavailable', 'Too many streams are open; try again later', 503, later);
    }
  };

  const route = streamRoute(
    endpoints.streamAccount,
    async (caller, { lastEventIds }, begin) => {
      const lastSeq = lastEventId(lastEventIds);
      assertRoom(caller);
      const seq = await events.seq();
      if (lastSeq !== null) assertReached(lastSeq, seq);
      assertRoom(caller);
      const isFar = lastSeq !== null && seq - lastSeq > nearSequences;
      if (isFar) replays.assertRoom(caller.accountId);
      const watch = new AccountWatch(
        caller.accountId,
        caller.keyId,
        lastSeq ?? seq,
        caller.primaryAccountId ?? caller.accountId,
      );
      open.add(watch);
      countOf(watch.accountId, 1);
      watch.opened(begin(seq, preamble(watch.sentSeq), () => remove(watch)));
      if (isFar) replayThenJoin(watch);
      else join(watch);
    },
    settings.authenticate,
  );

  return {
    routes: [route],
    start() {
      stopChecking = settings.journalCheck?.onDivergence(endAll) ?? stopChecking;
      stopKeepAlive = every(KEEP_ALIVE_MS, () => open.forEach((watch) => watch.write(KEEP_ALIVE)), clock);
    },
    async stop() {
      stopping = true;
      stopKeepAlive();
      stopChecking();
      endAll();
      wake();
      await Promise.all([following, replays.settled()]);
    },
  };
}
