import { ApiError } from '@paper/contracts';
import type { Clock } from '@paper/timing';
import type { AccountEventAnswer, AccountEventSource } from '@paper/read-models';
import { eventTexts } from './account-watch.ts';
import type { AccountWatch, EventText } from './account-watch.ts';
import { SLICE } from './replay-pace.ts';
import type { ReplayPace } from './replay-pace.ts';
import { Slots } from './slots.ts';

interface AccountReplaysSettings {
  readonly events: AccountEventSource;
  readonly clock: Clock;
  /** The number of rows of each kind in one read. */
  readonly pageSize: number;
  readonly bufferedBytesMax: number;
  readonly pace: ReplayPace;
  readonly onRead: (page: AccountEventAnswer) => void;
  readonly drop: (watch: AccountWatch) => void;
}

/** The most replays of one account at a time; the endpoint's description states this number. */
const REPLAYS_OF_ACCOUNT_MAX = 5;
/** The most pages in memory: being read, or being sent to a client. */
const PAGES_MAX = 100;
/** The most concurrent reads, so that most connections of the pool stay free for requests. */
const READS_MAX = 3;
/** How long a client may take to receive a page. */
const DRAIN_MS = 30_000;

/**
 * Replays missed events to streams that resume from far behind, page by page. Fleets take turns, at a limited pace. A
 * waiting stream costs no more than any open one.
 */
export class AccountReplays {
  readonly #running = new Set<Promise<void>>();
  readonly #ofAccount = new Map<string, number>();
  readonly #pages = new Slots(PAGES_MAX);
  readonly #reads = new Slots(READS_MAX);
  readonly #stopping = new AbortController();

  constructor(private readonly settings: AccountReplaysSettings) {}

  get count(): number {
    return this.#running.size;
  }

  assertRoom(accountId: string): void {
    if ((this.#ofAccount.get(accountId) ?? 0) < REPLAYS_OF_ACCOUNT_MAX) return;
    const text = `${REPLAYS_OF_ACCOUNT_MAX} streams of this account are being told what they missed; try again later`;
    throw new ApiError('rate_limited', text, undefined, { 'retry-after': '10' });
  }

  /** Starts a replay. `here`: whether the stream has every event now, and its client is still connected. */
  start(watch: AccountWatch, ended: (result: { readonly here: boolean } | { readonly error: unknown }) => void): void {
    const { accountId } = watch;
    this.#ofAccount.set(accountId, (this.#ofAccount.get(accountId) ?? 0) + 1);
    const running = this.#replay(watch)
      .then(
        (here) => ({ here }),
        (error: unknown) => ({ error }),
      )
      .then((result) => {
        this.#running.delete(running);
        const left = (this.#ofAccount.get(accountId) ?? 1) - 1;
        if (left === 0) this.#ofAccount.delete(accountId);
        else this.#ofAccount.set(accountId, left);
        ended(result);
      });
    this.#running.add(running);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  async #replay(watch: AccountWatch): Promise<boolean> {
    let isComplete = false;
    while (!watch.gone && !isComplete) isComplete = await this.#pages.use(watch.lane, () => this.#sendPage(watch));
    return !watch.gone;
  }

  async #sendPage(watch: AccountWatch): Promise<boolean> {
    const page = await this.#reads.use(watch.lane, () => this.#read(watch));
    if (page === null) return true;
    if (!page.liveKeys.has(watch.keyId)) {
      watch.end();
      return true;
    }
    this.settings.onRead(page);
    await this.#sendAtPace(watch, eventTexts(page.events));
    watch.send([], page.upTo);
    return page.complete;
  }

  async #sendAtPace(watch: AccountWatch, texts: readonly EventText[]): Promise<void> {
    const { bufferedBytesMax, drop, pace } = this.settings;
    for (let from = 0; from < texts.length && !watch.gone; from += SLICE) {
      const slice = texts.slice(from, from + SLICE);
      await pace.turn(watch.lane.fleet, slice.length, this.#stopping.signal);
      watch.send(slice, watch.sentSeq);
      if (!(await this.#drained(watch)) || watch.buffered > bufferedBytesMax) drop(watch);
    }
  }

  async #read(watch: AccountWatch): Promise<AccountEventAnswer | null> {
    if (watch.gone) return null;
    const { wanted, keyId, sentSeq: after } = watch;
    const limit = this.settings.pageSize;
    return this.settings.events.read({ ...wanted, keyIds: [keyId], after, limit });
  }

  async #drained(watch: AccountWatch): Promise<boolean> {
    let cancel = (): void => undefined;
    const late = new Promise<boolean>((resolve) => {
      cancel = this.settings.clock.after(DRAIN_MS, () => resolve(false));
    });
    const inTime = await Promise.race([watch.drained().then(() => true), late]);
    cancel();
    return inTime;
  }
}
