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

/** Plays with a bot, then lets the clock run to the end, since the other participants wait for this one too. */
export async function playToEnd(bot: Pick<Calls, 'sleep'>, play: () => unknown): Promise<void> {
  for (const work of [play, () => bot.sleep(Infinity)]) {
    try {
      await work();
    } catch (error) {
      // The end of the backtest may cut either short.
      if (!(error instanceof ApiRefusal && error.code === 'backtest_ended')) throw error;
    }
  }
}
