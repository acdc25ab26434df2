import { fork } from 'node:child_process';
import path from 'node:path';
import { killAtExit, nodeOptionsFor } from '@paper/runtime';
import { lowerPriority } from '@paper/runtime/resources';

/** Starts a program of `src` with the lowest priority and without our environment, which has secrets. */
export function startLowPriority(name: string, heapMb: number, first: object, onMessage: (message: unknown) => void) {
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
  // Sending fails only when the process has ended, which is reported by its end.
  child.send(first, () => undefined);
  /** The end of the process's error output. */
  const endOfOutput = (): string => output.trim();
  return { child, output: endOfOutput };
}
