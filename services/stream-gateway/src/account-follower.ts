import { pause } from '@paper/timing';
import type { Clock } from '@paper/timing';
import type { RetryLog } from '@paper/runtime';
import type { AccountEventAnswer, AccountEventSource } from '@paper/read-models';
import type { AccountFeed } from './account-feed.ts';
import { accountsOf, byAccount, eventTexts, textsOf } from './account-watch.ts';
import type { AccountWatch, EventText } from './account-watch.ts';
import type { DeliveryTrace } from './delivery-trace.ts';
import type { ReplayPace } from './replay-pace.ts';

interface AccountFollowerSettings {
  readonly events: AccountEventSource;
  readonly clock: Clock;
  /** The number of rows of each kind in one read for one stream; a read for all streams takes four times as many. */
  readonly pageSize: number;
  readonly bufferedBytesMax: number;
  readonly feed: Pick<AccountFeed, 'adopt' | 'covers'>;
  /** Limits how fast a fleet (a primary account with its sub-accounts) is sent missed events. */
  readonly pace: Pick<ReplayPace, 'charge'>;
  readonly retries: RetryLog;
  readonly onRead: (page: AccountEventAnswer) => void;
  readonly drop: (watch: AccountWatch) => void;
  readonly trace: DeliveryTrace | null;
}

const CANNOT_READ = "accounts' events cannot be read";
/** The least time between the starts of two reads, which bounds their cost. */
const TURN_GAP_MS = 20;
/** The share of time that reads may take, however many accounts listen. */
const TURN_SHARE = 0.25;
const PROGRESS_WAIT_MS = 10_000;
const AFTER_FAILURE_MS = 1_000;

/** Follows the read models for all streams that have not caught up, by one query, until the feed can adopt them. */
export class AccountFollower {
  readonly #live = new Set<AccountWatch>();
  #state: 'idle' | 'following' | 'stopped' = 'idle';
  #following = Promise.resolve();
  #progress: { readonly seq: number; readonly reached: Promise<boolean> } | null = null;
  /** Lets the next read begin, if there are streams. */
  wake = (): void => undefined;

  constructor(private readonly settings: AccountFollowerSettings) {}

  join(watch: AccountWatch): void {
    if (watch.gone || this.#isStopped()) return;
    this.#live.add(watch);
    this.wake();
    if (this.#state === 'following') return;
    this.#state = 'following';
    this.#following = this.#follow();
  }

  leave(watch: AccountWatch): void {
    this.#live.delete(watch);
  }

  stop(): Promise<void> {
    this.#state = 'stopped';
    this.wake();
    return this.#following;
  }

  #isStopped(): boolean {
    return this.#state === 'stopped';
  }

  /** While there are live streams, reads whenever there is progress, or a stream has joined. */
  async #follow(): Promise<void> {
    const { retries } = this.settings;
    while (this.#live.size > 0 && !this.#isStopped()) {
      const joined = new Promise<void>((resolve) => (this.wake = resolve));
      try {
        await this.#turn(joined);
      } catch (error) {
        if (this.#isStopped()) break;
        retries.failed(CANNOT_READ, error);
        await Promise.race([joined, pause(AFTER_FAILURE_MS, { clock: this.settings.clock })]);
      }
    }
    // Idle at once: a stream that joins after this must start a new loop.
    if (!this.#isStopped()) this.#state = 'idle';
  }

  /** Reads once, and waits until there is a reason to read again. */
  async #turn(joined: Promise<void>): Promise<void> {
    const { clock, retries } = this.settings;
    const startedMs = clock.monotonic();
    const page = await this.#readAndSend();
    retries.works(CANNOT_READ);
    if (!page.complete) return;
    const gapMs = Math.max(TURN_GAP_MS, (clock.monotonic() - startedMs) / TURN_SHARE);
    await Promise.race([joined, this.#nextProgress(page.upTo + 1)]);
    const leftMs = gapMs - (clock.monotonic() - startedMs);
    if (leftMs > 0) await pause(leftMs, { clock: this.settings.clock });
  }

  async #readAndSend(): Promise<AccountEventAnswer> {
    const { events, feed, onRead, pageSize, trace } = this.settings;
    const startMs = trace?.now() ?? 0;
    const watches = [...this.#live];
    const after = Math.min(...watches.map(({ sentSeq }) => sentSeq));
    const page = await events.read({
      accountIds: [...new Set(watches.flatMap(({ wanted }) => wanted.accountIds))],
      fleetIds: [...new Set(watches.flatMap(({ wanted }) => wanted.fleetIds))],
      keyIds: [...new Set(watches.map(({ keyId }) => keyId))],
      after,
      limit: 4 * pageSize,
      states: feed.covers(after),
    });
    onRead(page);
    const texts = byAccount(eventTexts(page.events));
    const sent = new Set<number>();
    for (const watch of watches) {
      const own = textsOf(accountsOf(watch, page.fleets), texts);
      const news = trace === null ? [] : own.filter(({ seq }) => seq > watch.sentSeq);
      this.#send(watch, own, page);
      if (watch.gone) continue;
      for (const { seq } of news) sent.add(seq);
      if (page.complete && feed.adopt(watch, page)) this.leave(watch);
    }
    trace?.sent('account', sent, startMs);
    return page;
  }

  #send(watch: AccountWatch, texts: readonly EventText[], { liveKeys, upTo }: AccountEventAnswer): void {
    if (!liveKeys.has(watch.keyId)) watch.end();
    else if (texts.length > 0 && watch.buffered > this.settings.bufferedBytesMax) this.settings.drop(watch);
    else this.settings.pace.charge(watch.lane.fleet, watch.send(texts, upTo));
  }

  #nextProgress(seq: number): Promise<boolean> {
    if (this.#progress === null || this.#progress.seq < seq) {
      const reached = this.settings.events.reached(seq, PROGRESS_WAIT_MS);
      const mine = { seq, reached };
      this.#progress = mine;
      const done = (): void => {
        if (this.#progress === mine) this.#progress = null;
      };
      reached.then(done, done);
    }
    return this.#progress.reached;
  }
}
