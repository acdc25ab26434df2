import type { BacktestMessage, BacktestStart, LiveLoad } from '../protocol.ts';
import { Backtest } from './backtest.ts';

// The process of one backtest. Its first message starts it. It ends when it is told to (SIGTERM), and with its parent.

/** The time for which the process answers reads after its backtest has ended. */
const AFTER_END_MS = 3_600_000;
const ALIVE_MS = 1_000;

let backtest: Backtest | null = null;

const send = (message: BacktestMessage): void => {
  if (process.connected) process.send?.(message);
  if (message.state === 'failed') void end(1);
  if (message.state === 'ended') setTimeout(() => void end(0), AFTER_END_MS);
};

async function end(code: number): Promise<void> {
  const ending = backtest;
  backtest = null;
  await ending?.stop().catch(() => undefined);
  process.exit(code);
}

setInterval(() => send({}), ALIVE_MS);
process.once('disconnect', () => void end(0));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(0));
// The parent may have ended while this process was loading.
if (!process.connected) process.exit(1);
process.once('message', (message) => {
  backtest = new Backtest(message as BacktestStart, send, () => process.memoryUsage.rss());
  process.on('message', ({ isLiveBusy }: LiveLoad) => {
    if (backtest !== null) backtest.isLiveBusy = isLiveBusy;
  });
  backtest.start().catch((error: unknown) => {
    send({ state: 'failed', why: error instanceof Error ? error.message : String(error) });
  });
});
