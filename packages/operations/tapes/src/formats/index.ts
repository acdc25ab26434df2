import type { TapeFormat } from '../format.ts';
import { journal } from './journal.ts';
import { kalshi } from './kalshi.ts';
import { trades } from './trades.ts';

/** The formats in the order in which they are tried. */
export const FORMATS: readonly TapeFormat[] = [kalshi, journal, trades];
