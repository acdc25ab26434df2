import type { Phase } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { marketStatus, statusOf } from './market.ts';
import { count, fraction, money } from './numbers.ts';
import { timestamp } from './text.ts';
import { dollarsOrNull, iso, probability } from './units.ts';

export const PulseEntry = z
  .strictObject({
    id: z.string(),
    probability: fraction,
    bestYesBid: money.nullable(),
    bestYesAsk: money.nullable(),
    lastTradePrice: money.nullable().meta({ description: 'The price of the last trade, in YES terms.' }),
    volume: count.meta({ description: 'The number of shares traded.' }),
    status: marketStatus,
    seq: count.meta({ description: "The journal sequence of the market's last event." }),
  })
  .meta({ id: 'PulseEntry' });

export const Pulse = z
  .strictObject({
    ts: timestamp,
    markets: z.array(PulseEntry).meta({
      description: 'The requested markets, else the 50 most active markets of the last 24 h, most active first.',
    }),
  })
  .meta({ id: 'Pulse' });

export type PulseEntryBody = z.output<typeof PulseEntry>;
export type PulseBody = z.output<typeof Pulse>;

/** The number of markets in a pulse without a requested market. */
export const PULSE_MARKETS = 50;

/** The interval between two pulses for a watcher. */
export const PULSE_INTERVAL_MS = 2_000;

/** A market as a pulse shows it, in units; quotes and the last trade in YES terms. */
export interface PulseEntryView {
  readonly id: string;
  readonly probabilityHalfUnits: number;
  readonly bestBidUnits: number | null;
  readonly bestAskUnits: number | null;
  readonly lastTradeUnits: number | null;
  readonly volume: number;
  readonly phase: Phase;
  readonly seq: number;
}

/** `at`: when the picture was taken, in ms. */
export function pulseBody(at: number, markets: readonly PulseEntryView[]): PulseBody {
  return {
    ts: iso(at),
    markets: markets.map((view) => ({
      id: view.id,
      probability: probability(view.probabilityHalfUnits),
      bestYesBid: dollarsOrNull(view.bestBidUnits),
      bestYesAsk: dollarsOrNull(view.bestAskUnits),
      lastTradePrice: dollarsOrNull(view.lastTradeUnits),
      volume: view.volume,
      status: statusOf(view.phase),
      seq: view.seq,
    })),
  };
}
