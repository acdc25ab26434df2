import { endOf } from '@paper/runtime';
import { inTime } from '@paper/timing';
import type { BacktestMessage, BacktestStart, LiveLoad } from '../protocol.ts';
import { startLowPriority } from './low-priority-process.ts';

/** The heap of the process. It ends itself when it uses more than 300 MB of memory in total. */
const HEAP_MB = 256;

export type BacktestChild = ReturnType<typeof startBacktestChild>;

export function startBacktestChild(start: BacktestStart, onMessage: (message: BacktestMessage) => void) {
  const { child, output } = startLowPriority('process/backtest-process', HEAP_MB, start, (message) =>
    onMessage(message as BacktestMessage),
  );
  const ended = endOf(child).then((how) => `its process ${how} ${output()}`.trim());
  return {
    /** Resolves when the process has ended, with its exit status and the end of its error output. */
    ended,
    /** Tells the process whether the live exchange is busy. */
    tell(load: LiveLoad): void {
      // Sending fails only when the process has ended.
      child.send(load, () => undefined);
    },
    /** Tells the process to end, so that it removes its database, and kills it after this time. */
    async stop(graceMs: number): Promise<void> {
      child.kill('SIGTERM');
      await inTime(ended, graceMs, () => child.kill('SIGKILL'));
      await ended;
    },
  };
}
