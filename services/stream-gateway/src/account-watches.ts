import { ApiError } from '@paper/contracts';
import { inPieces } from '@paper/timing';
import type { AccountWatch } from './account-watch.ts';

/** The most open streams of one account; the endpoint's description states this number. */
const STREAMS_OF_ACCOUNT_MAX = 20;

/** All open streams of accounts' events, and how many each account has. */
export class AccountWatches {
  readonly #open = new Set<AccountWatch>();
  readonly #ofAccount = new Map<string, number>();

  constructor(private readonly streamsMax: number) {}

  get count(): number {
    return this.#open.size;
  }

  /** Throws ApiError rate_limited when the account has too many streams, unavailable when all accounts together do. */
  assertRoom(accountId: string): void {
    const later = { 'retry-after': '10' };
    if ((this.#ofAccount.get(accountId) ?? 0) >= STREAMS_OF_ACCOUNT_MAX) {
      const text = `This account has ${STREAMS_OF_ACCOUNT_MAX} streams open already`;
      throw new ApiError('rate_limited', text, undefined, later);
    }
    if (this.#open.size >= this.streamsMax) {
      throw new ApiError('unavailable', 'Too many streams are open; try again later', 503, later);
    }
  }

  add(watch: AccountWatch): void {
    this.#open.add(watch);
    this.#ofAccount.set(watch.accountId, (this.#ofAccount.get(watch.accountId) ?? 0) + 1);
  }

  remove(watch: AccountWatch): void {
    if (!this.#open.delete(watch)) return;
    const left = (this.#ofAccount.get(watch.accountId) ?? 1) - 1;
    if (left === 0) this.#ofAccount.delete(watch.accountId);
    else this.#ofAccount.set(watch.accountId, left);
  }

  /** Writes the bytes to all streams, in pieces with short rests. */
  spread(bytes: Buffer): Promise<void> {
    return inPieces([...this.#open], (watch) => watch.write(bytes));
  }

  end(): void {
    for (const watch of this.#open) watch.end();
  }
}
