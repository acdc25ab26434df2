import path from 'node:path';
import { createBacktests } from '@paper/backtests';
import type { Backtests } from '@paper/backtests';
import type { CommandSide } from '@paper/command-api';
import type { QuerySide } from '@paper/query-api';
import type { StandaloneConfig } from './config.ts';

/** Opens the tapes and the backtests, whose processes are apart from this one. */
export function openBacktests(commandSide: CommandSide, querySide: QuerySide, config: StandaloneConfig): Backtests {
  return createBacktests({
    authenticate: querySide.authenticate,
    folder: path.join(config.DATA_DIR, 'backtests'),
    journalSeq: () => commandSide.status().journalSeq,
    tapesDir: config.TAPES_DIR ?? path.join(config.DATA_DIR, 'tapes'),
  });
}
