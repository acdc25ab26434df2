import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Authenticate, Route } from '@paper/http';
import { backtestRoutes } from './routes.ts';
import { Tapes } from './tapes.ts';

export interface BacktestsOptions {
  /** Where tapes are looked for. */
  readonly tapesDir: string;
  /** Where backtests are stored; made where it is missing. */
  readonly folder: string;
  /** The live journal's sequence. */
  readonly journalSeq: () => number;
  readonly authenticate: Authenticate;
}

/** The tapes of this service, and the backtests on them. */
export interface Backtests {
  readonly routes: readonly Route[];
}

export function createBacktests({ authenticate, folder, journalSeq, tapesDir }: BacktestsOptions): Backtests {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const tapes = new Tapes(tapesDir, path.join(folder, 'tapes.json'));
  return { routes: backtestRoutes(tapes, journalSeq, authenticate) };
}
