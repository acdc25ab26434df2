import type { LeaseStore } from '@paper/runtime';
import { trueTime } from './machine.ts';
import type { Machine } from './machine.ts';
import type { Network } from './network.ts';
import type { Agenda } from './agenda.ts';

const TIMEOUT_MS = 750;

/** The lease row that elects the leader, with its server's clock. */
export class LeaseServer {
  #row: { readonly holder: string; readonly address: string; readonly term: number; readonly untilMs: number } | null =
    null;

  #connections = 0;

  constructor(
    private readonly network: Network,
    private readonly agenda: Agenda,
  ) {}

  /** The server's wall clock as the machine reads it over the network. */
  readonly clock = (machine: Machine): Promise<number> => this.#call(machine, () => trueTime(this.agenda));

  /** The leases as the machine reaches them. */
  connect(machine: Machine): LeaseStore {
    const call = <T>(serve: (nowMs: number) => T): Promise<T> =>
      this.#call(machine, () => serve(this.agenda.nowUs / 1000));
    const prolong = (holder: string, term: number, untilMs: number): boolean => {
      const own = this.#row?.holder === holder && this.#row.term === term;
      if (own && this.#row !== null) this.#row = { ...this.#row, untilMs };
      return own;
    };
    this.#connections += 1;
    return {
      holder: `process ${this.#connections}`,
      // Its requests are calls: there is no connection between them.
      onDisconnect: () => undefined,
      close: () => Promise.resolve(),
      heldAt: () => call((nowMs) => (this.#row !== null && this.#row.untilMs > nowMs ? this.#row.address : null)),
      release: ({ holder }, term) => call((nowMs) => void prolong(holder, term, nowMs)),
      renew: ({ holder }, term, forMs) => call((nowMs) => prolong(holder, term, nowMs + forMs)),
      take: ({ holder, address }, forMs) =>
        call((nowMs) => {
          if (this.#row !== null && this.#row.untilMs > nowMs) return { address: this.#row.address, kind: 'held' };
          const term = (this.#row?.term ?? 0) + 1;
          this.#row = { address, holder, term, untilMs: nowMs + forMs };
          return { kind: 'taken', term };
        }),
    };
  }

  #call<T>(from: Machine, serve: () => T): Promise<T> {
    return this.network.call(from, { serve, timeoutMs: TIMEOUT_MS, to: 'leases' });
  }
}
