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
  /** Where tapes are looked for. */
  readonly tapesDir: string;
  readonly limits: BacktestLimits;
  /** The live journal's sequence. */
  readonly journalSeq: () => number | Promise<number>;
  readonly authenticate: Authenticate;
}

/** The tapes of this service, and the backtests on them. */
export interface Backtests {
  readonly routes: readonly Route[];
  /** Whether a path is below the base URL of a backtest, and so the listener's. */
  readonly handles: (path: string) => boolean;
  readonly listener: RequestListener;
  /** Backtests can be started from now on. @param publicUrl what their base URLs begin with */
  open(publicUrl: string): void;
  /** Ends all of their processes. */
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
