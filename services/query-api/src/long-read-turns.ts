import type { Caller, Client } from '@paper/contracts';
import { LONG_READS_AT_ONCE } from '@paper/read-models';
import type { ReadModels, ReadView } from '@paper/read-models';
import { FairSlots } from '@paper/http';
import type { Lane } from '@paper/runtime/queues';

/** Lets accounts take turns at costly reads, which have connections of their own. */
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

  read<T>(caller: Caller, client: Client, query: (view: ReadView) => Promise<T>): Promise<T> {
    return this.use(caller, client, (signal) => this.readModels.readLong(query, signal));
  }

  /** Throws RateLimited when too many requests of the account wait; Unavailable after 2 s. */
  use<T>(caller: Caller, client: Client, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#slots.use(laneOf(caller, client), client.signal, work);
  }
}

function laneOf(caller: Caller, { address }: Client): Lane {
  if (caller.kind !== 'key') return { fleet: address, account: address };
  return { fleet: caller.primaryAccountId ?? caller.accountId, account: caller.accountId };
}
