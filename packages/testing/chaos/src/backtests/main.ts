import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCommand } from '@paper/commands';
import { createRandom, eventually } from '@paper/testkit';
import { builtFolder, prepareTrading } from '@paper/testkit/exchange';
import { SteadyOrders } from '../rolling/steady-orders.ts';
import { ServiceExchange } from '../services/service-exchange.ts';
import { TapePlayer } from './tape-player.ts';

/**
 * `npm run chaos -- backtests` keeps two backtests running beside live orders at a fixed rate, and kills the process of
 * a backtest, or the service, at random moments. Exit code 1: a live order was lost, doubled or not answered, a
 * backtest has neither ended nor failed with a reason, or a process or a database of one is left.
 */
const { args, options } = startCommand<{ readonly orders: number }>('chaos');
const [kills = 20, seed = 1] = args as readonly number[];
const MARKET = 'beside-backtests';
const CLIENTS = 20;
const PAUSE_MS = 6_000;
const LONGEST_MS = 120_000;
const random = createRandom(seed);
const folder = mkdtempSync(path.join(tmpdir(), 'paper-backtests-chaos-'));
const problems: string[] = [];
const killed = { 'a process of a backtest': 0, 'the service': 0 };
const built = await builtFolder();
const exchange = await ServiceExchange.start({ folder });
try {
  const apiKeys = await prepareTrading(exchange, { accounts: CLIENTS, markets: [MARKET] });
  const { baseUrl } = exchange;
  const load = new SteadyOrders({ apiKeys, baseUrl, marketId: MARKET, perSecond: options.orders, rampMs: 2_000 });
  const first = new TapePlayer(baseUrl, apiKeys[0] ?? '');
  const players = [first, new TapePlayer(baseUrl, apiKeys[0] ?? '')];
  for (let done = 0; done < kills;) {
    await sleep(random.int(0, PAUSE_MS));
    if (!(await kill())) continue;
    done += 1;
    process.stderr.write(`${done} of ${kills} kills\n`);
  }
  await Promise.all(players.map((player) => player.stop()));
  await load.stop();
  if (load.unanswered.size > 0) problems.push(`${load.unanswered.size} live orders were not answered`);
  problems.push(...(await exchange.orderProblems(load)));
  const states = await statesOf(first);
  if (!(await isSoon(async () => (await exchange.backtestDatabases()) === 0))) problems.push('a database is left');
  if (!(await isSoon(() => Promise.resolve(processesOfBacktests().length === 0)))) problems.push('a process is left');
  console.log(
    `Seed ${seed}: ${killed['a process of a backtest']} kills of a backtest's process, ${killed['the service']} of the ` +
      `service; ${states.join(', ')}; ${load.answered.size} live orders answered.`,
  );
} finally {
  await exchange.stop();
}
for (const problem of problems) console.log(`FOUND: ${problem}`);
if (problems.length === 0) rmSync(folder, { recursive: true, force: true });
else console.log(`The files are kept in ${folder}. Again: npm run chaos -- backtests ${kills} ${seed}`);
process.exit(problems.length === 0 ? 0 : 1);

/** Kills the service or a backtest's process, by chance; false if that process does not run. */
async function kill(): Promise<boolean> {
  const service = await servicePid();
  const children = processesOfBacktests();
  const what = random.weighted([
    [3, 'a process of a backtest'],
    [1, 'the service'],
  ] as const);
  const pid = what === 'the service' ? service : children.length > 0 ? random.pick(children) : null;
  if (pid === null) return false;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
  killed[what] += 1;
  return true;
}

async function servicePid(): Promise<number | null> {
  return (await exchange.set.status()).find(({ name }) => name === 'backtests-1')?.pid ?? null;
}

/** The processes that the service starts, even if it has ended: backtests, and those that make reports. */
function processesOfBacktests(): readonly number[] {
  const programs = path.join(built, 'services/backtests/src/');
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return command.includes(programs) && command.includes('-process.js');
    } catch {
      return false;
    }
  });
}

/** The number of backtests in each state, once all have ended; then deletes them. */
async function statesOf(player: TapePlayer): Promise<readonly string[]> {
  const isFinal = async (): Promise<boolean> =>
    (await player.list()).every(({ state, why }) => state === 'ended' || (state === 'failed' && why !== null));
  if (!(await isSoon(isFinal))) problems.push(`a backtest has not ended: ${JSON.stringify(await player.list())}`);
  const all = await player.list();
  for (const { id } of all) await player.remove(id);
  const count = (wanted: string): number => all.filter(({ state }) => state === wanted).length;
  return [`${count('ended')} backtests ended`, `${count('failed')} failed`];
}

/** Whether the check succeeds within two minutes; a check that fails counts as not yet. */
function isSoon(check: () => Promise<boolean>): Promise<boolean> {
  const isSo = (): Promise<boolean> => check().catch(() => false);
  return eventually('the end of a run', isSo, { withinMs: LONGEST_MS, everyMs: 200 }).then(
    () => true,
    () => false,
  );
}
