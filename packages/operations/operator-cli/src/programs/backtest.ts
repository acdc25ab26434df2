import { writeFileSync } from 'node:fs';
import { interruption, report, runCommand } from '@paper/commands';
import type { Given } from '@paper/commands';
import { readService } from '@paper/importers';
import { escapeText, printError } from '@paper/runtime';
import { ApiRefusal, createClient } from 'paper-trading-client';
import type { Api, PaperTradingClient } from 'paper-trading-client';
import { BotFailed, playTape } from '../backtest/play-tape.ts';
import { resultsPage } from '../backtest/results-page.ts';
import { resultsTable } from '../backtest/results-table.ts';

/** `npm run backtest -- TAPE… -- COMMAND…` plays each tape with a new bot. Exit code 1: a bot or a tape failed. */
interface Options extends Omit<Api.StartBacktestInput, 'tape' | 'startingBalance' | 'fee' | 'participants'> {
  readonly startingBalance?: string;
  readonly fee?: string;
  readonly out?: string;
}

await runCommand<Options>('backtest', run);

async function run({ args, options, runs }: Given<Options>): Promise<boolean> {
  const { fee, json, out, startingBalance, ...settings } = options;
  const owner = createClient({ ...serviceOf(), signal: interruption() });
  const numbers = { ...numberOf('fee', fee), ...numberOf('startingBalance', startingBalance) };
  const reports: Api.BacktestReport[] = [];
  const failed: { readonly tape: string; readonly why: string }[] = [];
  for (const tape of await tapesOf(owner, args.map(String))) {
    try {
      reports.push(await playTape(owner, { ...settings, ...numbers, tape }, runs));
    } catch (error) {
      interruption().throwIfAborted();
      if (!(error instanceof ApiRefusal || error instanceof BotFailed)) throw error;
      failed.push({ tape, why: error.message });
      printError(escapeText(`${tape}: ${error.message}`));
    }
  }
  if (out !== undefined) writeFileSync(out, resultsPage(reports));
  report({ ...(json === undefined ? {} : { json }) }, { reports, failed }, resultsTable(reports));
  return failed.length === 0;
}

/** Tapes that match a pattern are in the order of their ids. */
async function tapesOf(owner: PaperTradingClient, given: readonly string[]): Promise<readonly string[]> {
  if (!given.some((one) => one.includes('*'))) return given;
  const ids = (await owner.fetchTapes()).tapes.map(({ id }) => id).sort();
  return given.flatMap((one) => {
    if (!one.includes('*')) return [one];
    const pattern = new RegExp(`^${one.split('*').map(escaped).join('.*')}$`);
    const found = ids.filter((id) => pattern.test(id));
    if (found.length === 0) throw new Error(`No tape of the service has an id like ${one}.`);
    return found;
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[^\w-]/g, '\\$&');
}

function numberOf(name: string, value: string | undefined): Readonly<Record<string, number>> {
  if (value === undefined) return {};
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) throw new Error(`${name}: must be a number, not "${value}".`);
  return { [name]: number };
}

/** The service and key of the settings, else of the demo that runs on DATA_DIR. */
function serviceOf(): { readonly baseUrl: string; readonly key: string } {
  const { PAPER_API_KEY: key, PAPER_BASE_URL: baseUrl } = process.env;
  if (baseUrl && key) return { baseUrl, key };
  const { file, left } = readService('set PAPER_BASE_URL and PAPER_API_KEY');
  const found = { baseUrl: baseUrl || left.baseUrl, key: key || left.demo?.apiKey };
  if (!isGiven(found.baseUrl) || !isGiven(found.key)) {
    throw new Error(`${file} names no demo account: set PAPER_API_KEY.`);
  }
  return { baseUrl: found.baseUrl, key: found.key };
}

function isGiven(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
