import { ApiError } from '@paper/contracts';
import type { Clock } from '@paper/pulse';
import type { AccountEventPage, AccountEvents } from './account-events.ts';
import { type AccountWatch, eventText } from './account-watch.ts';
import { Slots } from './slots.ts';

export interface AccountReplaysSettings {
  readonly events: AccountEvents;
  readonly clock: Clock;
  /** Rows of a kind that are read at once. */
  readonly pageSize: number;
  readonly bufferedBytesMax: number;
  /** Told of each page. */
  readonly onRead: (page: AccountEventPage) => void;
  /** Cuts one that does not read. */
  readonly drop: (watch: AccountWatch) => void;
}

/** Those of one account; the description of the endpoint names it. */
export const REPLAYS_OF_ACCOUNT_MAX = 5;
/** Pages in memory, read or being taken in by a client. */
const PAGES_MAX = 100;
/** Pages that are read at the same time: most connections of the pool are left to those who ask and wait. */
const READS_MAX = 3;
/** So long a client may take to take in a page. */
const DRAIN_MS = 30_000;

/**
 * Tells streams that come back from far behind what they missed, page by page, as fast as the client takes it in. After
 * each page it is another's turn: fleets take turns, then the accounts of a fleet. One that waits costs no more than any
 * open stream.
 */
export class AccountReplays {
  readonly #running = new Set<Promise<void>>();
  readonly #ofAccount = new Map<string, number>();
  readonly #pages = new Slots(PAGES_MAX);
  readonly #reads = new Slots(READS_MAX);

  constructor(private readonly settings: AccountReplaysSettings) {}

  get count(): number {
    return this.#running.size;
  }

  /** @throws ApiError rate_limited when there are too many of this account. */
  assertRoom(accountId: string): void {
    if ((this.#ofAccount.get(accountId) ?? 0) < REPLAYS_OF_ACCOUNT_MAX) return;
    const text = `${REPLAYS_OF_ACCOUNT_MAX} streams of this account are being told what they missed; try again later`;
    throw new ApiError('rate_limited', text, undefined, { 'retry-after': '10' });
  }

  /**
   * `ended` is called with whether the stream is still there, having been told all that there is at this moment, or
   * with what went wrong.
   */
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

  /** Resolves when those under way have ended; their streams must have been ended before. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #replay(watch: AccountWatch): Promise<boolean> {
    let isComplete = false;
    while (!watch.gone && !isComplete) isComplete = await this.#pages.use(watch.lane, () => this.#sendPage(watch));
    return !watch.gone;
  }

  /** Gives whether it was the last page. */
  async #sendPage(watch: AccountWatch): Promise<boolean> {
    const page = await this.#reads.use(watch.lane, () => this.#read(watch));
    if (page === null) return true;
    if (!page.liveKeys.has(watch.keyId)) {
      watch.end();
      return true;
    }
    this.settings.onRead(page);
    watch.send(page.events.map(eventText), page.upTo);
    if (page.complete) return true;
    if (!(await this.#drained(watch)) || watch.buffered > this.settings.bufferedBytesMax) this.settings.drop(watch);
    return false;
  }

  /** Null for a client that has gone meanwhile. */
  async #read(watch: AccountWatch): Promise<AccountEventPage | null> {
    if (watch.gone) return null;
    const { accountId, keyId, sentSeq: after } = watch;
    const limit = this.settings.pageSize;
    return this.settings.events.read({ accountIds: [accountId], keyIds: [keyId], after, limit });
  }

  /** Whether the client has taken in, in time, what it was sent. */
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
