import { endOf } from '@paper/runtime';
import { inTime } from '@paper/timing';
import type { BacktestMessage, BacktestStart } from '../protocol.ts';
import { startApart } from './apart.ts';

/** The process itself ends where it takes more than 300 MB, which this heap leaves room for. */
const HEAP_MB = 256;

/** The process of a backtest. */
export interface BacktestChild {
  /** Resolves when it has ended, with how, and with the end of what it has written about a failure. */
  readonly ended: Promise<string>;
  /** Tells it to end, which removes its database, and kills it after so long. */
  stop(graceMs: number): Promise<void>;
}

export function startBacktestChild(start: BacktestStart, onMessage: (message: BacktestMessage) => void): BacktestChild {
  const { child, output } = startApart('process/backtest-process', HEAP_MB, start, (message) =>
    onMessage(message as BacktestMessage),
  );
  const ended = endOf(child).then((how) => `its process ${how} ${output()}`.trim());
  return {
    ended,
    async stop(graceMs) {
      child.kill('SIGTERM');
      await inTime(ended, graceMs, () => child.kill('SIGKILL'));
      await ended;
    },
  };
}
