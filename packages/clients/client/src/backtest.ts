import type { Calls } from './calls.ts';
import { ApiRefusal } from './errors.ts';

/** A participant of a backtest. */
export interface BacktestSeat {
  /** The participant's number, from 0: the order of turns. */
  readonly turn: number;
  readonly accountId: string;
  readonly backtestId: string;
  /** The address and the key that its bot uses instead of the service's; both are secrets. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Refusals after which a participant has no part in its backtest any more, which still has a report. */
const ENDS: ReadonlySet<unknown> = new Set(['backtest_ended', 'left_out']);

/** Whether a failure says that the backtest has ended, or goes on without this participant. */
function endsPlay(error: unknown): boolean {
  return error instanceof ApiRefusal && ENDS.has(error.code);
}

/** Plays with a bot, then lets the clock run to the end, since the other participants wait for this one too. */
export async function playToEnd(bot: Pick<Calls, 'sleep'>, play: () => unknown): Promise<void> {
  for (const work of [play, () => bot.sleep(Infinity)]) {
    try {
      await work();
    } catch (error) {
      if (!endsPlay(error)) throw error;
    }
  }
}
