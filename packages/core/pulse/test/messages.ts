import { Pulse } from '@paper/contracts/markets';
import type { PulseMessage } from '../src/index.ts';

/** A pulse with one market, which contains the number. */
export function message(seq: number): PulseMessage {
  const market = {
    bestAskUnits: null,
    bestBidUnits: 4_800,
    id: `market-${seq}`,
    lastTradeUnits: 5_000,
    phase: 'active',
    probabilityHalfUnits: 10_000,
    seq,
    volume: seq,
  } as const;
  return { seq, pulse: Pulse.body({ at: Date.UTC(2026, 10, 21) + seq, markets: [market] }) };
}
