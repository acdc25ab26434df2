import type { LeaseStore } from '@paper/runtime';
import { trueTime } from './machine.ts';
import type { Machine } from './machine.ts';
import type { Network } from './network.ts';
import type { Agenda } from './agenda.ts';

const TIMEOUT_MS = 750;

interface Row {
  readonly holder: string;
  readonly address: string;
  readonly term: number;
  readonly untilMs: number;
}

/** The lease that elects the leader, and its fencing marks, with the clock of their server. */
export class LeaseServer {
  readonly #rows = new Map<string, Row>();
  #connections = 0;

  constructor(
    private readonly network: Network,
    private readonly agenda: Agenda,
  ) {}

  /** The server's wall clock as the machine reads it over the network. */
  readonly clock = (machine: Machine): Promise<number> => this.#call(machine, () => trueTime(this.agenda));

  connect(machine: Machine): LeaseStore {
    const call = <T>(serve: (nowMs: number) => T): Promise<T> =>
      this.#call(machine, () => serve(this.agenda.nowUs / 1000));
    const held = (name: string, nowMs: number): Row | null => {
      const row = this.#rows.get(name);
      return row !== undefined && row.untilMs > nowMs ? row : null;
    };
    const prolong = ({ name, holder }: Parameters<LeaseStore['renew']>[0], term: number, untilMs: number): boolean => {
      const row = this.#rows.get(name);
      if (row?.holder !== holder || row.term !== term) return false;
      this.#rows.set(name, { ...row, untilMs });
      return true;
    };
    this.#connections += 1;
    return {
      holder: `process ${this.#connections}`,
      // The requests are separate calls, so there is no connection that could be lost.
      onDisconnect: () => undefined,
      close: () => Promise.resolve(),
      heldAt: (name) => call((nowMs) => held(name, nowMs)?.address ?? null),
      release: (claim, term) => call((nowMs) => void prolong(claim, term, nowMs)),
      renew: (claim, term, forMs) => call((nowMs) => prolong(claim, term, nowMs + forMs)),
      take: ({ name, holder, address }, forMs) =>
        call((nowMs) => {
          const other = held(name, nowMs);
          if (other !== null) return { address: other.address, kind: 'held' };
          const term = (this.#rows.get(name)?.term ?? 0) + 1;
          this.#rows.set(name, { address, holder, term, untilMs: nowMs + forMs });
          return { kind: 'taken', term };
        }),
    };
  }

  #call<T>(from: Machine, serve: () => T): Promise<T> {
    return this.network.call(from, { serve, timeoutMs: TIMEOUT_MS, to: 'leases' });
  }
}
