import { spawn } from 'node:child_process';
import { interruption, showProgress } from '@paper/commands';
import { endOf, escapeText } from '@paper/runtime';
import type { Api, PaperTradingClient } from 'paper-trading-client';

const LOOK_MS = 1_000;

/** The bot's command failed. */
export class BotFailed extends Error {}

/** Plays a tape with a new process of the bot. */
export async function playTape(
  owner: PaperTradingClient,
  settings: Api.StartBacktestInput,
  [program = '', ...args]: readonly string[],
): Promise<Api.BacktestReport> {
  const progress = showProgress();
  let looking: NodeJS.Timeout | undefined;
  try {
    return await owner.backtest(settings, async (participant, { apiKey, backtestId, baseUrl }) => {
      const look = async (): Promise<void> => {
        const { events, eventsDone } = await owner.fetchBacktest(backtestId);
        // The answer of the last look may come after the end.
        if (looking !== undefined) progress.show(`Playing ${escapeText(settings.tape)}`, eventsDone, events);
      };
      looking = setInterval(() => void look().catch(() => undefined), LOOK_MS);
      const env = { ...process.env, PAPER_BASE_URL: baseUrl, PAPER_API_KEY: apiKey };
      // Standard output is for the results.
      const bot = spawn(program, args, { env, stdio: ['ignore', process.stderr, process.stderr] });
      const kill = (): void => void bot.kill();
      interruption().addEventListener('abort', kill);
      try {
        await assertDone(bot, owner, participant, backtestId);
      } finally {
        interruption().removeEventListener('abort', kill);
      }
    });
  } finally {
    clearInterval(looking);
    looking = undefined;
    progress.clear();
  }
}

/**
 * A failure at the end of the tape is expected.
 * @throws LeftOut for one of a bot that was left out, as its report says; BotFailed for any other one before the end
 */
async function assertDone(
  bot: ReturnType<typeof spawn>,
  owner: PaperTradingClient,
  participant: PaperTradingClient,
  backtestId: string,
): Promise<void> {
  const notStarted = new Promise<never>((_resolve, reject) => {
    bot.once('error', (error) => reject(new BotFailed(`the bot could not be started: ${error.message}`)));
  });
  const how = await Promise.race([endOf(bot), notStarted]);
  interruption().throwIfAborted();
  if (bot.exitCode === 0) return;
  const { state } = await owner.fetchBacktest(backtestId);
  if (state === 'ended') return;
  // This read needs no turn, and is refused where the bot was left out.
  if (state === 'running') await participant.fetchClock();
  throw new BotFailed(`the bot ${how} before the end of the tape`);
}
