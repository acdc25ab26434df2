import type { BacktestClock } from './backtest-clock.ts';
import type { MessageGroup } from './event-connection.ts';

/** The messages of a stream in a backtest, where each wait for the next one is an advance of the clock. */
export type BacktestStream = (signal: AbortSignal) => Promise<AsyncIterator<MessageGroup, void, undefined>>;

/** A pulse of the live exchange comes as often. */
const PULSE_EVERY_MS = 2_000;

/** The events of the own account. */
export async function accountStream(
  clock: BacktestClock,
  signal: AbortSignal,
): Promise<AsyncIterator<MessageGroup, void, undefined>> {
  let groups: MessageGroup[] = [];
  const unfollow = await clock.follow((events) => {
    groups.push({ seq: events.at(-1)?.seq ?? 0, messages: events.map((data) => ({ type: 'message', data })) });
  });
  return (async function* () {
    try {
      while (!signal.aborted) {
        const given = groups;
        groups = [];
        yield* given;
        if (groups.length > 0) continue;
        if (clock.hasEnded) return;
        await clock.wait(Infinity, ['account'], signal);
      }
    } finally {
      unfollow();
    }
  })();
}

/** A pulse every two seconds. `read` reads it, and the sequence of its snapshot. */
export async function* pulseStream(
  clock: BacktestClock,
  signal: AbortSignal,
  read: () => Promise<{ readonly seq: number; readonly markets: readonly unknown[] }>,
): AsyncGenerator<MessageGroup, void, undefined> {
  for (;;) {
    const dueMs = (Math.floor((await clock.now()) / PULSE_EVERY_MS) + 1) * PULSE_EVERY_MS;
    if (!(await clock.waitUntil(dueMs, signal))) return;
    const { markets, seq } = await read();
    yield { seq, messages: [{ type: 'message', data: { ts: new Date(await clock.now()).toISOString(), markets } }] };
  }
}

/** A book whenever it has changed, after the trades that changed it, of which `read` gives those after a sequence. */
export async function* bookStream(
  clock: BacktestClock,
  signal: AbortSignal,
  read: (afterSeq: number | null) => Promise<{
    readonly book: { readonly seq: number };
    readonly trades: readonly unknown[];
  }>,
): AsyncGenerator<MessageGroup, void, undefined> {
  let seq: number | null = null;
  while (!signal.aborted) {
    const { book, trades } = await read(seq);
    if (book.seq !== seq) {
      seq = book.seq;
      const messages = trades.map((data) => ({ type: 'trade', data }));
      yield { seq, messages: [...messages, { type: 'snapshot', data: book }] };
      continue;
    }
    if (clock.hasEnded) return;
    await clock.wait(Infinity, ['book', 'trades'], signal);
  }
}
