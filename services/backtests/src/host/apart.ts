import { fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { killAtExit } from '@paper/runtime';

const EXTENSION = path.extname(import.meta.filename);

/**
 * Starts a program of this package (`name` without its extension, from `src`) as a process that everything else on the
 * machine goes before. It gets no variables of this process, whose secrets are none of its business, and ends with it.
 */
export function startApart(name: string, heapMb: number) {
  const child = fork(path.join(import.meta.dirname, '..', `${name}${EXTENSION}`), [], {
    execArgv: [...ownOptions(), `--max-old-space-size=${heapMb}`],
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Ctrl-C at the terminal goes to this process only, which decides the order of stops.
    detached: true,
  });
  killAtExit(child);
  if (child.pid !== undefined) lower(child.pid);
  return child;
}

function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or the system refuses: it keeps its priority.
  }
}

/** The options of this process without a debugger's port, and with the TypeScript loader where it is used. */
function ownOptions(): string[] {
  const own = process.execArgv.filter((option) => !/^--(inspect|max-old-space-size)/.test(option));
  const readsTypeScript = EXTENSION !== '.ts' || own.some((option) => option.includes('tsx'));
  return readsTypeScript ? own : [...own, '--import', import.meta.resolve('tsx')];
}
