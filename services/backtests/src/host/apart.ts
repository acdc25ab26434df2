import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { killAtExit, nodeOptionsFor } from '@paper/runtime';
import { lowerPriority } from '@paper/runtime/resources';

/** A separate process with its work. */
export interface Apart {
  readonly child: ChildProcess;
  /** Returns the end of the process's error output. */
  readonly output: () => string;
}

/**
 * Starts a program of this package (`name` without its extension, from `src`) as a process with the lowest priority,
 * and sends the first message to it. The process gets no environment variables of this process, since these contain
 * secrets, and ends with it.
 */
export function startApart(name: string, heapMb: number, first: object, onMessage: (message: unknown) => void): Apart {
  const program = path.join(import.meta.dirname, '..', `${name}${path.extname(import.meta.filename)}`);
  const child = fork(program, [], {
    execArgv: [...nodeOptionsFor(program), `--max-old-space-size=${heapMb}`],
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Ctrl-C at the terminal must reach this process only, which decides the order of stops.
    detached: true,
  });
  killAtExit(child);
  if (child.pid !== undefined) lowerPriority(child.pid, 'lowest');
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-500)));
  child.on('message', onMessage);
  child.send(first, () => {
    // Sending fails only when the process has ended, which is reported by its end.
  });
  return { child, output: () => output.trim() };
}
