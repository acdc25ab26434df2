import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { killAtExit, nodeOptionsFor } from '@paper/runtime';
import { lowerPriority } from '@paper/runtime/resources';

/** A process with work of its own. */
export interface Apart {
  readonly child: ChildProcess;
  /** The end of what it has written about a failure. */
  readonly output: () => string;
}

/**
 * Starts a program of this package (`name` without its extension, from `src`) as a process that everything else on the
 * machine goes before, and sends it its first message. It gets no variables of this process, whose secrets are none of
 * its business, and ends with it.
 */
export function startApart(name: string, heapMb: number, first: object, onMessage: (message: unknown) => void): Apart {
  const program = path.join(import.meta.dirname, '..', `${name}${path.extname(import.meta.filename)}`);
  const child = fork(program, [], {
    execArgv: [...nodeOptionsFor(program), `--max-old-space-size=${heapMb}`],
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Ctrl-C at the terminal goes to this process only, which decides the order of stops.
    detached: true,
  });
  killAtExit(child);
  if (child.pid !== undefined) lowerPriority(child.pid, 'lowest');
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-500)));
  child.on('message', onMessage);
  child.send(first, () => {
    // It fails only where the process has ended, which its end tells.
  });
  return { child, output: () => output.trim() };
}
