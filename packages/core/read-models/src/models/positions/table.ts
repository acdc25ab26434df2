import { int8, text } from '@paper/pg-bulk';
import { table } from '../../engine/table.ts';
import type { Row } from '../../engine/table.ts';

/** The shares that accounts hold in markets; a position without shares has no row. */
export const POSITIONS = table(
  'positions',
  {
    account_id: text(),
    market_id: text(),
    yes_shares: int8,
    no_shares: int8,
    yes_cost_units: int8,
    no_cost_units: int8,
  },
  ['account_id', 'market_id'],
  { checks: ['yes_shares >= 0', 'no_shares >= 0', 'yes_cost_units >= 0', 'no_cost_units >= 0'] },
);

export type PositionRow = Row<typeof POSITIONS>;
