import { resolve } from 'node:path';
import { described } from '@paper/runtime';
import { z } from 'zod';

/** Settings of tapes and backtests, by the names of their variables. */
export const backtestSettings = {
  TAPES_DIR: described(
    z
      .string()
      .transform((path) => resolve(path))
      .optional(),
    'recorded markets for backtests',
    'DATA_DIR/tapes',
  ),
};
