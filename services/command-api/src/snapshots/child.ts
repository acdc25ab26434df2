import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { Taken } from './take.ts';

/** What the process that takes a snapshot is told, and told on its channel: a command line is for everybody to read. */
export interface SnapshotOrder {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string | null;
  readonly shard: string;
  readonly build: string;
}

/** What it answers before it ends. */
export type SnapshotReport =
  { readonly kind: 'taken'; readonly taken: Taken } | { readonly kind: 'failed'; readonly message: string };

/** A process under way that takes one snapshot. */
export interface SnapshotChild {
  /** Rejects with what kept it from taking one. */
  readonly taken: Promise<Taken>;
  /** Ends it at once: half a snapshot is none. */
  kill(): void;
}

const EXTENSION = path.extname(import.meta.filename);
const ENTRY = path.join(import.meta.dirname, `snapshot-process${EXTENSION}`);

/** Takes a snapshot in a process of its own, so that this one never waits for it. */
export function startSnapshotChild(order: SnapshotOrder): SnapshotChild {
  const child = fork(ENTRY, [], { execArgv: execArgv(), stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send(order, () => {
    // Where it could not be told, it has ended, and that is what is reported.
  });
  return { kill: () => void child.kill('SIGKILL'), taken: reportOf(child) };
}

/** As this process runs, but for a debugger's port; where it was made to read TypeScript later, from the start. */
function execArgv(): string[] {
  const own = process.execArgv.filter((arg) => !arg.startsWith('--inspect'));
  const readsTypeScript = EXTENSION !== '.ts' || own.some((arg) => arg.includes('tsx'));
  return readsTypeScript ? own : [...own, '--import', import.meta.resolve('tsx')];
}

function reportOf(child: ChildProcess): Promise<Taken> {
  return new Promise((resolve, reject) => {
    let report: SnapshotReport | null = null;
    child.once('message', (message) => {
      report = message as SnapshotReport;
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (report?.kind === 'taken') resolve(report.taken);
      else reject(new Error(report?.message ?? `its process ended with ${signal ?? `code ${code}`}`));
    });
  });
}
