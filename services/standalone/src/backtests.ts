import { backtestFolders, backtestLimits, createBacktests } from '@paper/backtests';
import type { Backtests } from '@paper/backtests';
import type { CommandSide } from '@paper/command-api';
import { appSettings } from '@paper/http';
import type { QuerySide } from '@paper/query-api';
import type { StandaloneConfig } from './config.ts';
import type { SharedParts } from './read-side.ts';

/** Opens the tapes and the backtests, which run in processes of their own. */
export async function openBacktests(
  { databases, running }: SharedParts,
  commandSide: CommandSide,
  querySide: QuerySide,
  config: StandaloneConfig,
): Promise<Backtests> {
  const backtests = createBacktests({
    ...appSettings(config, running),
    authenticate: querySide.authenticate,
    databaseUrl: databases.backtests,
    journalSeq: () => commandSide.status().journalSeq,
    limits: backtestLimits(config),
    startingBalance: config.STARTING_BALANCE,
    ...backtestFolders(config),
  });
  await running.teardown.add('backtests', () => backtests.stop());
  return backtests;
}
