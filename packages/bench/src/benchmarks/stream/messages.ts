import { type PulseEntryView, pulseBody } from '@paper/contracts';
import type { PulseMessage } from '@paper/pulse';

/** Microseconds on the clock that all processes of this machine share. */
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

/** A pulse of so many markets, whose id is the time at which it was made: a watcher knows how long it was under way. */
export function timedPulse(markets: number): PulseMessage {
  const entries = Array.from({ length: markets }, (_, n) => market(n));
  return { seq: nowUs(), pulse: pulseBody(Date.now(), entries) };
}

/** What the server under test is told. */
export type ServerCommand =
  | { readonly do: 'pulses' }
  | { readonly do: 'flood'; readonly markets: number }
  | { readonly do: 'pause' }
  | { readonly do: 'acknowledge'; readonly received: number }
  | { readonly do: 'heap' };

/** What it tells. */
export type ServerReport =
  | { readonly is: 'listening'; readonly port: number }
  | { readonly is: 'published'; readonly id: number }
  | { readonly is: 'paused'; readonly broadcasts: number; readonly cpuUs: number }
  | { readonly is: 'heap'; readonly bytes: number };

/** What the watchers' process is told. */
export type WatchersCommand =
  | { readonly do: 'connect'; readonly port: number; readonly watchers: number }
  | { readonly do: 'pulses'; readonly ms: number }
  | { readonly do: 'flood'; readonly warmUpMs: number; readonly ms: number }
  | { readonly do: 'soak'; readonly port: number; readonly connects: number };

export interface Pulses {
  readonly is: 'pulses';
  /** How many watchers got the pulse of each id. */
  readonly arrivals: readonly (readonly [id: number, watchers: number])[];
  /** Of every arrival: ms since the pulse was made. */
  readonly latenciesMs: readonly number[];
  /** The most by which the time between two pulses of one watcher was not 2 s. */
  readonly offBeatMsMax: number;
}

/** What it tells. */
export type WatchersReport =
  | { readonly is: 'connected'; readonly ms: number }
  | Pulses
  | { readonly is: 'received'; readonly slowest: number }
  | { readonly is: 'flooded'; readonly messages: number; readonly seconds: number; readonly bytes: number }
  | { readonly is: 'soaked' }
  | { readonly is: 'lost'; readonly watchers: number };
