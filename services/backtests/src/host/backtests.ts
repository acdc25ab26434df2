import path from 'node:path';
import { appSettings } from '@paper/http';
import type { Authenticate } from '@paper/http';
import type { ServiceProcess } from '@paper/runtime';
import { backtestsAtOnce } from './config.ts';
import type { BacktestsConfig } from './config.ts';
import { BacktestManager } from './manager.ts';
import type { ManagerOptions } from './manager.ts';
import { BACKTEST_PREFIX, createProxy } from './proxy.ts';
import { backtestRoutes } from './routes.ts';
import { Tapes } from './tapes.ts';

const MB = 1_000_000;

interface BacktestsOptions extends Pick<ManagerOptions, 'databaseUrl' | 'journalSeq'> {
  readonly authenticate: Authenticate;
}

export type Backtests = Awaited<ReturnType<typeof openBacktests>>;

/** The tapes of this service, and the backtests on them. */
export async function openBacktests(config: BacktestsConfig, running: ServiceProcess, options: BacktestsOptions) {
  const { authenticate, databaseUrl, journalSeq } = options;
  const settings = appSettings(config, running);
  const folder = path.join(config.DATA_DIR, 'backtests');
  const tapes = new Tapes(config.TAPES_DIR ?? path.join(config.DATA_DIR, 'tapes'), path.join(folder, 'tapes.json'));
  const manager = new BacktestManager({
    ...{ ...settings, databaseUrl, folder, journalSeq, tapes, startingBalance: config.STARTING_BALANCE },
    limits: {
      atOnce: backtestsAtOnce(config),
      days: config.BACKTESTS_DAYS,
      bytes: config.BACKTESTS_MB * MB,
      fleetBytes: config.BACKTESTS_FLEET_MB * MB,
    },
  });
  await running.teardown.add('backtests', () => manager.stop());
  return {
    routes: backtestRoutes(tapes, manager, journalSeq, authenticate),
    /** Whether a path is below the base URL of a backtest, so that the listener must serve it. */
    handles: (requested: string): boolean => requested.startsWith(BACKTEST_PREFIX),
    listener: createProxy({ ...settings, socketOf: (token) => manager.socketOf(token) }),
    open: (publicUrl: string): void => manager.open(publicUrl),
  };
}
