import { fork } from 'node:child_process';
import path from 'node:path';
import { endOf, killAtExit, nodeOptionsFor } from '@paper/runtime';
import { lowerPriority } from '@paper/runtime/resources';
import { inTime } from '@paper/timing';

/** The heap of a process that reads tapes and journals. */
const READING_HEAP_MB = 512;
/** The heap of a backtest's process, which ends itself when it uses more than 300 MB of memory in total. */
export const BACKTEST_HEAP_MB = 256;

export type BacktestsChild = ReturnType<typeof startChild>;

/** Starts a program of `src` with the lowest priority and without our environment, which has secrets. */
export function startChild(
  name: string,
  first: object,
  onMessage: (message: unknown) => void,
  heapMb = READING_HEAP_MB,
) {
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
  const send = (message: object): void => void child.send(message, () => undefined);
  send(first);
  const ended = endOf(child).then(
    (how) => `its process ${how} ${output.trim()}`.trim(),
    (error: unknown) => `its process could not be started: ${String(error)}`,
  );
  return {
    send,
    /** Resolves when the process has ended, with its exit status and the end of its error output. */
    ended,
    /** Tells the process to end, so that it removes its database, and kills it after this time. */
    async stop(graceMs: number): Promise<void> {
      child.kill('SIGTERM');
      await inTime(ended, graceMs, () => child.kill('SIGKILL'));
      await ended;
    },
  };
}
