import { mkdtempSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { testDatabase } from '@paper/testkit';
import { SETTINGS } from '../play/played-tape.ts';
import { Backtest } from '../../src/process/backtest.ts';
import { JOURNAL_FILE, RECORD_FILE } from '../../src/protocol.ts';
import type { BacktestMessage, BacktestRecord, BacktestSettings, BacktestStart } from '../../src/protocol.ts';

/** The tape of our own making: an hour of one market. */
export const TAPE = 'made-news';

/** A time of that hour: `15:00` and so many seconds. */
export const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 5, 15) + 1_000 * seconds).toISOString();

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RunningBacktest {
  readonly options: BacktestStart;
  readonly messages: readonly BacktestMessage[];
  /** The participants' accounts, by turn. */
  readonly accounts: readonly string[];
  /** Sends a request with the key of the participant whose turn this is, or with a key. */
  readonly call: (
    who: number | string | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Reply>;
  /** Sends a request, and waits for nothing. */
  readonly begin: (who: number, method: string, path: string, body?: unknown) => ClientRequest;
  /** Opens a stream, and gives its text as it comes. */
  readonly stream: (who: number, path: string) => Promise<IncomingMessage>;
  readonly record: () => BacktestRecord;
  /** The lines of its journal. */
  readonly journal: () => readonly { readonly hash: string; readonly type: string; readonly publicText: string }[];
  readonly stop: () => Promise<void>;
}

let started = 0;

/** What a backtest's process is started with, on a database of tests. */
export async function backtestStart(settings: Partial<BacktestSettings> = {}, tape = TAPE) {
  const all = { ...SETTINGS, tape: TAPE, ...settings };
  const server = await testDatabase();
  const folder = mkdtempSync(path.join(tmpdir(), 'backtest-'));
  const run = `${process.pid}_${(started += 1)}`;
  const options: BacktestStart = {
    database: `backtest_${run}`,
    databaseUrl: server.connectionString,
    folder,
    id: run,
    settings: all,
    socket: path.join(folder, 'socket'),
    tape,
  };
  return { options, close: () => server.close() };
}

/** Starts a backtest in this process, which other tests share: so its memory says nothing of the backtest. */
export async function runBacktest(
  settings: Partial<BacktestSettings> = {},
  tape = TAPE,
  memoryBytes = () => 0,
): Promise<RunningBacktest> {
  const { close, options } = await backtestStart(settings, tape);
  const messages: BacktestMessage[] = [];
  const backtest = new Backtest(options, (message) => messages.push(message), memoryBytes);
  await backtest.start();
  const running = messages.find(({ state }) => state === 'running');
  if (running?.participants === undefined) throw new Error(JSON.stringify(messages));
  const client = clientOf({ keys: running.keys ?? [], socket: options.socket });
  return {
    ...client,
    accounts: running.participants,
    messages,
    options,
    journal: () => readLines(path.join(options.folder, JOURNAL_FILE)),
    record: () => JSON.parse(readFileSync(path.join(options.folder, RECORD_FILE), 'utf8')) as BacktestRecord,
    stop: async () => {
      client.end();
      await backtest.stop();
      await close();
    },
  };
}

/** Calls a backtest as the host does. */
export function clientOf({ keys, socket }: Readonly<{ keys: readonly string[]; socket: string }>) {
  const agent = new Agent({ keepAlive: true });
  const begin = (
    who: number | string | null,
    method: string,
    at: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): ClientRequest => {
    const key = typeof who === 'number' ? keys[who] : who;
    const sent = request({ agent, headers, method, path: at, socketPath: socket });
    if (typeof key === 'string') sent.setHeader('authorization', `Bearer ${key}`);
    if (body !== undefined) sent.setHeader('content-type', 'application/json');
    return sent.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const send = async (...args: Parameters<typeof begin>): Promise<IncomingMessage> => {
    const sent = begin(...args);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  };
  return {
    begin,
    call: async (...args: Parameters<typeof send>): Promise<Reply> => {
      const answer = await send(...args);
      const said = await text(answer);
      const isJson = answer.headers['content-type']?.startsWith('application/json') === true && said.startsWith('{');
      const parsed = isJson ? (JSON.parse(said) as Reply['body']) : { text: said };
      return { body: parsed, headers: answer.headers, status: answer.statusCode ?? 0 };
    },
    stream: (who: number, at: string) => send(who, 'GET', at),
    end: () => agent.destroy(),
  };
}

function readLines(file: string): ReturnType<RunningBacktest['journal']> {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as ReturnType<RunningBacktest['journal']>[number]);
}

/** An order to buy YES at any price. */
export const buy = (quantity: number) =>
  ({ marketId: TAPE, orderType: 'market', outcome: 'yes', quantity, side: 'buy' }) as const;
