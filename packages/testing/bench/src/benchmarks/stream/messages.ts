import { Pulse } from '@paper/contracts/markets';
import type { PulseEntryView } from '@paper/contracts/markets';
import type { PulseMessage } from '@paper/pulse';

/** Microseconds by the clock that all processes of this machine share. */
export function nowUs(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

const market = (n: number): PulseEntryView => ({
  bestAskUnits: 5_200,
  bestBidUnits: 4_800,
  id: `bench-market-${String(n).padStart(4, '0')}`,
  lastTradeUnits: 5_000,
  phase: 'active',
  probabilityHalfUnits: 10_000,
  seq: 1_000_000 + n,
  volume: 1_000 * n,
});

/** A pulse of this many markets whose id is its time, so that a watcher can compute the delay. */
export function timedPulse(markets: number): PulseMessage {
  const entries = Array.from({ length: markets }, (_, n) => market(n));
  return { seq: nowUs(), pulse: Pulse.body({ at: Date.now(), markets: entries }) };
}

export type ServerCommand =
  | { readonly do: 'pulses' }
  | { readonly do: 'flood'; readonly markets: number }
  | { readonly do: 'pause' }
  | { readonly do: 'acknowledge'; readonly received: number }
  | { readonly do: 'heap' };

export type ServerReport =
  | { readonly is: 'listening'; readonly port: number }
  | { readonly is: 'published'; readonly id: number }
  | { readonly is: 'paused'; readonly broadcasts: number; readonly cpuUs: number }
  | { readonly is: 'heap'; readonly bytes: number };

export type WatchersCommand =
  | { readonly do: 'connect'; readonly port: number; readonly watchers: number }
  | { readonly do: 'pulses'; readonly ms: number }
  | { readonly do: 'flood'; readonly warmUpMs: number; readonly ms: number }
  | { readonly do: 'soak'; readonly port: number; readonly connects: number };

export interface Pulses {
  readonly is: 'pulses';
  /** The number of watchers that got each pulse. */
  readonly arrivals: readonly (readonly [id: number, watchers: number])[];
  readonly latenciesMs: readonly number[];
  /** The largest deviation from 2 s between two pulses of one watcher. */
  readonly offBeatMsMax: number;
}

export type WatchersReport =
  | { readonly is: 'connected'; readonly ms: number }
  | Pulses
  | { readonly is: 'received'; readonly slowest: number }
  | { readonly is: 'flooded'; readonly messages: number; readonly seconds: number }
  | { readonly is: 'soaked' }
  | { readonly is: 'lost'; readonly watchers: number };
