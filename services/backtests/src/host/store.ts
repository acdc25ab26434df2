import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { BacktestBody } from '@paper/contracts/backtests';
import { writePrivateFile } from '@paper/runtime';

/** What the service knows of a backtest, which outlives both of their processes. */
export interface StoredBacktest extends BacktestBody {
  /** The primary account whose it is. */
  readonly fleet: string;
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
  /** The database of its read models, while it may still be there. */
  readonly database: string | null;
}

const FILE = 'service.json';

/** The folders of backtests, one each. */
export class BacktestStore {
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  folderOf(id: string): string {
    return path.join(this.folder, id);
  }

  /** All that are stored. A folder that was not begun to its end is removed. */
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

  /** The bytes of its files. */
  bytesOf(id: string): number {
    try {
      const folder = this.folderOf(id);
      return readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
    } catch {
      // A file was replaced at this moment, or all of them were removed: the next look finds out.
      return 0;
    }
  }
}
