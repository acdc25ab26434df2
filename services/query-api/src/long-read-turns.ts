import type { Caller, Client } from '@paper/contracts';
import { LONG_READS_AT_ONCE } from '@paper/read-models';
import type { ReadModels, ReadView } from '@paper/read-models';
import { FairSlots } from '@paper/http';
import type { Lane } from '@paper/runtime';

/**
 * Lets accounts take turns at costly reads: order histories, ledgers, lists of sub-accounts,
 * long pages of trades, and all reads `asOfSeq`.
 * Short reads have connections of their own.
 */
export class LongReadTurns {
  readonly #slots = new FairSlots({
    atOnce: LONG_READS_AT_ONCE,
    atOncePerAccount: 1,
    waiting: 2_000,
    waitingPerAccount: 64,
    waitMs: 2_000,
    rests: true,
    what: 'long reads',
  });

  constructor(private readonly readModels: ReadModels) {}

  /** Runs one query of the read models when its turn comes. @throws as `use` and `ReadModels.readLong`. */
  read<T>(caller: Caller, client: Client, query: (view: ReadView) => Promise<T>): Promise<T> {
    return this.use(caller, client, (signal) => this.readModels.readLong(query, signal));
  }

  /**
   * @param work gets a signal that aborts when no client waits for it any more.
   * @throws RateLimited when too many requests of the account wait; Unavailable after 2 s.
   */
  use<T>(caller: Caller, client: Client, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#slots.use(laneOf(caller, client), client.signal, work);
  }
}

function laneOf(caller: Caller, { address }: Client): Lane {
  if (caller.kind !== 'key') return { fleet: address, account: address };
  return { fleet: caller.primaryAccountId ?? caller.accountId, account: caller.accountId };
}
