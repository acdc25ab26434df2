import path from 'node:path';
import type { appSettings, Authenticate } from '@paper/http';
import type { BacktestLimits } from './config.ts';
import { BacktestManager } from './manager.ts';
import type { ManagerOptions } from './manager.ts';
import { BACKTEST_PREFIX, createProxy } from './proxy.ts';
import { backtestRoutes } from './routes.ts';
import { Tapes } from './tapes.ts';

interface BacktestsOptions
  extends Omit<ManagerOptions, 'logger' | 'metrics' | 'tapes'>, ReturnType<typeof appSettings> {
  readonly tapesDir: string;
  readonly limits: BacktestLimits;
  readonly authenticate: Authenticate;
}

export type Backtests = ReturnType<typeof createBacktests>;

/** The tapes of this service, and the backtests on them. */
export function createBacktests(options: BacktestsOptions) {
  const { authenticate, folder, journalSeq, tapesDir } = options;
  const tapes = new Tapes(tapesDir, path.join(folder, 'tapes.json'));
  const manager = new BacktestManager({ ...options, tapes });
  return {
    routes: backtestRoutes(tapes, manager, journalSeq, authenticate),
    /** Whether a path is below the base URL of a backtest, so that the listener must serve it. */
    handles: (requested: string): boolean => requested.startsWith(BACKTEST_PREFIX),
    listener: createProxy({ ...options, socketOf: (token) => manager.socketOf(token) }),
    open: (publicUrl: string): void => manager.open(publicUrl),
    stop: () => manager.stop(),
  };
}
