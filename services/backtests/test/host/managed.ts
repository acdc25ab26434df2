import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { KeyCaller } from '@paper/contracts';
import { createLogger, createMetrics } from '@paper/runtime';
import { BacktestManager } from '../../src/host/manager.ts';
import type { ManagerOptions } from '../../src/host/manager.ts';
import { Tapes } from '../../src/host/tapes.ts';

/** A primary account that starts backtests. */
export const callerOf = (accountId: string): KeyCaller => ({
  ...{ kind: 'key', accountId, primaryAccountId: null, permissions: ['view', 'trade', 'master'] },
  keyId: `key-of-${accountId}`,
});

/** A folder of backtests, and managers on it, one after the other. */
export function managedFolder(more: Partial<ManagerOptions> = {}) {
  const root = mkdtempSync(path.join(tmpdir(), 'backtests-'));
  const folder = path.join(root, 'backtests');
  const tapes = new Tapes(path.join(root, 'tapes'), path.join(root, 'tapes.json'));
  return {
    folder,
    tapes,
    manager: (again: Partial<ManagerOptions> = {}): BacktestManager =>
      new BacktestManager({
        databaseUrl: 'postgresql://nobody@127.0.0.1:1/none',
        folder,
        journalSeq: () => 0,
        limits: { atOnce: 1, bytes: 20e9, days: 7, fleetBytes: 5e9 },
        logger: createLogger({ level: 'silent', name: 'test' }),
        metrics: createMetrics(),
        startingBalance: 10_000,
        tapes,
        ...more,
        ...again,
      }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
