import type { BacktestClock } from './backtest-clock.ts';
import type { MessageGroup } from './event-connection.ts';
import type { AdvancedClock } from './generated/api.ts';

/** The messages of a stream in a backtest, where each wait for the next one is an advance of the clock. */
export type BacktestStream = (signal: AbortSignal) => Promise<AsyncIterator<MessageGroup, void, undefined>>;

const PULSE_EVERY_MS = 2_000;

/** The events of the client's account, or of it and all its sub-accounts. `ownId` reads the id of the account. */
export async function accountStream(
  clock: BacktestClock,
  signal: AbortSignal,
  isFleet: boolean,
  ownId: () => Promise<string>,
): Promise<AsyncIterator<MessageGroup, void, undefined>> {
  const unread: AdvancedClock['events'][] = [];
  let id: string | null = null;
  const unfollow = await clock.follow((events) => void unread.push(events), isFleet);
  return (async function* () {
    try {
      while (!signal.aborted) {
        const given = unread.splice(0);
        // Another stream of this client may read all sub-accounts too.
        if (given.length > 0 && !isFleet && clock.followsFleet) id ??= await ownId();
        for (const events of given) {
          const own = events.filter(({ accountId }) => id === null || accountId === id);
          const messages = own.map((data) => ({ type: 'message', data }));
          if (messages.length > 0) yield { seq: own.at(-1)?.seq ?? 0, messages };
        }
        if (unread.length > 0) continue;
        if (clock.hasEnded) return;
        await clock.wait(Infinity, ['account'], signal);
      }
    } finally {
      unfollow();
    }
  })();
}

/** Yields a pulse every two seconds. `read` reads it with the sequence of its snapshot; default of `ts`: now. */
export async function* pulseStream(
  clock: BacktestClock,
  signal: AbortSignal,
  read: () => Promise<{ readonly seq: number; readonly markets: readonly unknown[]; readonly ts?: string }>,
): AsyncGenerator<MessageGroup, void, undefined> {
  for (;;) {
    const dueMs = (Math.floor((await clock.now()) / PULSE_EVERY_MS) + 1) * PULSE_EVERY_MS;
    if (!(await clock.waitUntil(dueMs, signal))) return;
    const { markets, seq, ts = new Date(await clock.now()).toISOString() } = await read();
    yield { seq, messages: [{ type: 'message', data: { ts, markets } }] };
  }
}

/** Yields a book whenever it has changed, after its trades. `read` returns both: the trades after a sequence. */
export async function* bookStream(
  clock: BacktestClock,
  signal: AbortSignal,
  read: (afterSeq: number | null) => Promise<{
    readonly book: { readonly seq: number };
    readonly trades: readonly unknown[];
  }>,
): AsyncGenerator<MessageGroup, void, undefined> {
  let seq: number | null = null;
  // The answer says whether the feed is late.
  await clock.now();
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
