import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasSettled } from '@paper/supervisor';
import { startCommand } from '@paper/commands';
import { prepareTrading } from '@paper/testkit/exchange';
import Table from 'cli-table3';
import { ServiceExchange } from '../services/service-exchange.ts';
import { Reachability } from './reachability.ts';
import { SteadyOrders } from './steady-orders.ts';

/**
 * `npm run chaos -- rolling` replaces every process of every service, as `npm run services -- restart NAME` does, while
 * orders come at a fixed rate. Exit code 1: an order was lost, doubled or unanswered for a minute, or a process did not
 * come back.
 */
const { orders, pause, warmUp } = startCommand<{
  readonly orders: number;
  readonly pause: number;
  readonly warmUp: number;
}>('chaos').options;

const MARKET = 'rolling';
const CLIENTS = 60;

const folder = mkdtempSync(path.join(tmpdir(), 'paper-rolling-'));
const problems: string[] = [];
const replaced: Awaited<ReturnType<typeof replace>>[] = [];
const exchange = await ServiceExchange.start({ folder });
const { baseUrl, set } = exchange;
const apiKeys = await prepareTrading(exchange, { accounts: CLIENTS, markets: [MARKET] });
const load = new SteadyOrders({ apiKeys, baseUrl, marketId: MARKET, perSecond: orders, rampMs: warmUp * 500 });
/** The end of the warm-up, the orders sent before it, and the times from it until all orders were sent and answered. */
let [judgedMs, sentBefore, offeredMs, answeredMs] = [0, 0, 0, 0];
let replacing = '';
let pages: readonly Reachability[] = [];
try {
  await sleep(warmUp * 1_000);
  pages = reachabilities();
  load.latestMs = 0;
  [judgedMs, sentBefore] = [performance.now(), load.sent.size];
  for (const name of set.names()) {
    replacing = name;
    const replacement = await replace(name);
    replaced.push(replacement);
    process.stderr.write(`${name}: ${Math.round(replacement.gapMs)} ms without an answer\n`);
  }
  await Promise.all(pages.map((page) => page.stop()));
  offeredMs = performance.now() - judgedMs;
  await load.stop();
  answeredMs = performance.now() - judgedMs;
  const { size: unanswered } = load.unanswered;
  if (unanswered > 0) problems.push(`${unanswered} orders unanswered, such as ${String([...load.unanswered][0])}`);
  const orderProblems = await exchange.orderProblems(load);
  if (orderProblems.length === 0) console.log('No order was lost, duplicated or invented.');
  problems.push(...orderProblems);
} finally {
  await exchange.stop();
  rmSync(folder, { recursive: true, force: true });
}
report();
process.exit(problems.length === 0 ? 0 : 1);

function reachabilities(): readonly Reachability[] {
  const headers = { authorization: `Bearer ${apiKeys[0]}` };
  const during = (): string => replacing;
  return [
    new Reachability('query-api', `${baseUrl}/api/markets`, during),
    new Reachability('query-api, as new as the last order', `${baseUrl}/api/portfolio`, during, headers),
    new Reachability('stream-gateway', `${baseUrl}/api/stream?marketId=none`, during),
    new Reachability('portal', `${baseUrl}/`, during),
  ];
}

async function replace(name: string) {
  const before = (await set.status()).find((one) => one.name === name);
  const beganMs = performance.now();
  const status = await set.restart(name);
  const tookMs = performance.now() - beganMs;
  if (!hasSettled(status)) problems.push(`${name} is ${status.state} after its replacement: ${status.readiness}`);
  await sleep(pause * 1_000);
  return {
    name,
    tookMs,
    hasLed: name.startsWith('command-api') && before?.readiness === 'ready',
    ...ordersSince(load, beganMs),
  };
}

function ordersSince({ answered }: SteadyOrders, sinceMs: number) {
  const nowMs = performance.now();
  const since = [...answered.values()].filter(({ atMs, status }) => status === 200 && atMs >= sinceMs);
  const times = [sinceMs, ...since.map(({ atMs }) => atMs), nowMs].sort((a, b) => a - b);
  return {
    /** The longest time without an acknowledged order. */
    gapMs: Math.max(...times.slice(1).map((atMs, nth) => atMs - (times[nth] ?? atMs))),
    /** Repeats included. */
    slowestMs: Math.max(0, ...since.map(({ waitedMs }) => waitedMs)),
    acceptedPerSecond: (1_000 * since.length) / (nowMs - sinceMs),
  };
}

function report(): void {
  const ms = (value: number): string => `${Math.round(value).toLocaleString('en-US')} ms`;
  const { latestMs, sent } = load;
  const answered = [...load.answered.values()].filter(({ atMs }) => atMs >= judgedMs);
  const accepted = answered.filter(({ status }) => status === 200).length;
  const rate = (count: number, inMs: number): string =>
    `${count.toLocaleString('en-US')} orders (${Math.round((1_000 * count) / inMs)} a second)`;
  console.log(
    `Offered ${rate(sent.size - sentBefore, offeredMs)}; answered ${rate(answered.length, answeredMs)}; ` +
      `accepted ${rate(accepted, answeredMs)}. An order left at most ${ms(latestMs)} after its time.`,
  );
  console.log(`${replaced.length} processes replaced, ${pause} s apart.`);
  const table = new Table({
    head: ['process', 'back after', 'accepted/s', 'longest without an answer', 'slowest order, with its repeats'],
    colAligns: ['left', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  });
  for (const { gapMs, hasLed, name, acceptedPerSecond, slowestMs, tookMs } of replaced) {
    const times = [ms(gapMs), ms(slowestMs)];
    table.push([`${name}${hasLed ? ' (led)' : ''}`, ms(tookMs), Math.round(acceptedPerSecond), ...times]);
  }
  console.log(table.toString());
  for (const { failures, longestDuring, longestMs, requests, what } of pages) {
    const gap = `${ms(longestMs)} between answers (${longestDuring})`;
    console.log(`${what}: ${failures} of ${requests} requests not answered, at most ${gap}`);
  }
  const longestMs = Math.max(...replaced.map(({ gapMs }) => gapMs));
  console.log(`Longest time in which no order was acknowledged: ${ms(longestMs)}.`);
  for (const problem of problems) console.log(`FOUND: ${problem}`);
}
