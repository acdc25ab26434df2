import { z } from 'zod';
import { answer, chance, list, same, time } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { count } from '../numbers.ts';
import { bestYesAsk, bestYesBid, lastTradePrice, statusField } from './market.ts';

const PulseEntry = answer('PulseEntry', {
  id: same(z.string()),
  probability: chance('probabilityHalfUnits'),
  bestYesBid,
  bestYesAsk,
  lastTradePrice,
  volume: same(count, 'The number of shares traded.'),
  status: statusField(),
  seq: same(count, "The journal sequence of the market's last event."),
});

/** The pulse; `at` is the time at which it was made. */
export const Pulse = answer('Pulse', {
  ts: time('at'),
  markets: list(
    'markets',
    PulseEntry,
    'The requested markets, else the 50 most active markets of the last 24 h, most active first.',
  ),
});

export type PulseEntryView = ViewOf<typeof PulseEntry>;
export type PulseEntryBody = BodyOf<typeof PulseEntry>;
export type PulseBody = BodyOf<typeof Pulse>;

/** The number of markets in a pulse that does not request one. */
export const PULSE_MARKETS = 50;

export const PULSE_INTERVAL_MS = 2_000;
