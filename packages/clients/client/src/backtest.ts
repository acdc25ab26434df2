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

/** The part of a client that a backtest needs. */
interface Bot {
  sleep(ms: number): Promise<void>;
}

/** Plays with a bot, then lets the clock run to the end, since the other participants wait for this one too. */
export async function playToEnd(bot: Bot, play: () => unknown): Promise<void> {
  await untilEnded(async () => void (await play()));
  await untilEnded(() => bot.sleep(Infinity));
}

/** Runs work that the end of the backtest may cut short. */
async function untilEnded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiRefusal && error.code === 'backtest_ended')) throw error;
  }
}
