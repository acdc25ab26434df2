import type { RequestListener } from 'node:http';
import path from 'node:path';
import type { appSettings, Authenticate, Route } from '@paper/http';
import type { BacktestLimits } from './config.ts';
import { BacktestManager } from './manager.ts';
import type { ManagerOptions } from './manager.ts';
import { BACKTEST_PREFIX, createProxy } from './proxy.ts';
import { backtestRoutes } from './routes.ts';
import { Tapes } from './tapes.ts';

export interface BacktestsOptions
  extends Omit<ManagerOptions, 'logger' | 'metrics' | 'tapes'>, ReturnType<typeof appSettings> {
  /** The folder of the tapes. */
  readonly tapesDir: string;
  readonly limits: BacktestLimits;
  /** The live journal's sequence. */
  readonly journalSeq: () => number | Promise<number>;
  readonly authenticate: Authenticate;
}

/** The tapes of this service, and the backtests on them. */
export interface Backtests {
  readonly routes: readonly Route[];
  /** Whether a path is below the base URL of a backtest, so that the listener must serve it. */
  readonly handles: (path: string) => boolean;
  readonly listener: RequestListener;
  /**
   * Permits starts of backtests from now on.
   * @param publicUrl the beginning of their base URLs
   */
  open(publicUrl: string): void;
  /** Ends all processes of backtests. */
  stop(): Promise<void>;
}

export function createBacktests(options: BacktestsOptions): Backtests {
  const { authenticate, folder, journalSeq, tapesDir } = options;
  const tapes = new Tapes(tapesDir, path.join(folder, 'tapes.json'));
  const manager = new BacktestManager({ ...options, tapes });
  return {
    routes: backtestRoutes(tapes, manager, journalSeq, authenticate),
    handles: (requested) => requested.startsWith(BACKTEST_PREFIX),
    listener: createProxy({ ...options, socketOf: (token) => manager.socketOf(token) }),
    open: (publicUrl) => manager.open(publicUrl),
    stop: () => manager.stop(),
  };
}
