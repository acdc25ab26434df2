import { backtestFolders, backtestLimits, createBacktests } from '@paper/backtests';
import type { CommandSide } from '@paper/command-api';
import { appSettings } from '@paper/http';
import type { QuerySide } from '@paper/query-api';
import type { StandaloneConfig } from './config.ts';
import type { SharedParts } from './read-side.ts';

export async function openBacktests(
  { databases, running }: SharedParts,
  commandSide: CommandSide,
  querySide: QuerySide,
  config: StandaloneConfig,
) {
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
