import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { BacktestBody } from '@paper/contracts/backtests';
import { writePrivateFile } from '@paper/runtime';

/** The stored record of a backtest. It outlives the processes of the service and of the backtest. */
export interface StoredBacktest extends BacktestBody {
  readonly fleet: string;
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
  /** The database of its read models, while that may still exist; else null. */
  readonly database: string | null;
}

const FILE = 'service.json';

export class BacktestStore {
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  folderOf(id: string): string {
    return path.join(this.folder, id);
  }

  /** All stored backtests. A folder whose creation was interrupted is removed. */
  load(): readonly StoredBacktest[] {
    const folders = readdirSync(this.folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return folders.flatMap(({ name }) => {
      try {
        return [JSON.parse(readFileSync(path.join(this.folder, name, FILE), 'utf8')) as StoredBacktest];
      } catch {
        this.remove(name);
        return [];
      }
    });
  }

  save(backtest: StoredBacktest): void {
    const folder = this.folderOf(backtest.id);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writePrivateFile(path.join(folder, FILE), `${JSON.stringify(backtest)}\n`);
  }

  remove(id: string): void {
    rmSync(this.folderOf(id), { recursive: true, force: true });
  }

  bytesOf(id: string): number {
    try {
      const folder = this.folderOf(id);
      return readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
    } catch {
      // A file was replaced at this moment, or all were removed. The next check finds out.
      return 0;
    }
  }
}
