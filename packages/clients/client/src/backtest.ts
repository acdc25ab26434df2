import { backOffMs } from './api-request.ts';
import { ApiRefusal } from './errors.ts';
import { pause } from './pause.ts';

/** A participant of a backtest. */
export interface BacktestSeat {
  /** Its number, from 0: the order of turns. */
  readonly turn: number;
  readonly accountId: string;
  readonly backtestId: string;
  /** What its bot uses in place of the service's address; both are secrets. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** As far as a client plays in a backtest. */
interface Bot {
  sleep(ms: number): Promise<void>;
}

const ATTEMPTS = 8;
const PAUSE_MS_MAX = 5_000;

/** Plays with a bot, then lets the clock go on to the end, since the other participants wait for this one too. */
export async function playToEnd(bot: Bot, play: () => unknown): Promise<void> {
  await untilEnded(async () => void (await play()));
  await untilEnded(() => bot.sleep(Infinity));
}

/** Runs work that the end of the backtest may cut short. */
async function untilEnded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!hasCode(error, 'backtest_ended')) throw error;
  }
}

/** Reads a report, which is there shortly after the end. */
export async function readReport<R>(read: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (attempt >= ATTEMPTS || !hasCode(error, 'backtest_not_ended')) throw error;
      await pause(backOffMs(attempt, PAUSE_MS_MAX));
    }
  }
}

const hasCode = (error: unknown, code: string): boolean => error instanceof ApiRefusal && error.code === code;
