import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startCommand } from '@paper/commands';
import { prepareTrading } from '@paper/testkit/exchange';
import { startOrderLoad } from '@paper/testkit/failover';
import Table from 'cli-table3';
import { FakeClocks } from '../fake-clocks.ts';
import { LoopDisk } from '../services/loop-disk.ts';
import { ServiceExchange } from '../services/service-exchange.ts';
import { ALERT_FAULTS, FAULT_ROUNDS } from './faults.ts';
import { playQuiet, playRound } from './trial.ts';
import type { RoundOutcome } from './trial.ts';
import { missingPrograms, Watchers } from './watchers.ts';

/**
 * `npm run chaos -- alerts` watches every service with a real Prometheus and Alertmanager while orders are placed, and
 * injects one fault after the other. Exit code 1: an alert fired or ended late, was not notified, or was not expected,
 * or an order was lost or doubled; 75: a program is missing.
 */
const NOTHING_DONE = 75;
const DISK_BYTES = 4 * 1024 ** 3;
const CLIENTS = 4;
const MARKET = 'watched';

const { args, options } = startCommand<{
  readonly hold: number;
  readonly noFaults?: true;
  readonly noQuiet?: true;
  readonly orders: number;
  readonly quiet: number;
}>('chaos');
const chosen = args.map((round) => String(round).split('+'));
const { hold, noFaults = false, noQuiet = false, orders } = options;
const faults = !noFaults;
const quiet = noQuiet ? false : options.quiet;
const unknown = chosen.flat().filter((name) => !ALERT_FAULTS.some((fault) => fault.name === name));
if (unknown.length > 0) {
  console.error(`There is no fault ${unknown.join(', ')}.`);
  process.exit(2);
}
const missing = missingPrograms();
if (missing.length > 0) {
  console.error(`Missing on PATH: ${missing.join(', ')} (Debian's packages of these names).`);
  process.exit(NOTHING_DONE);
}

const startedMs = performance.now();
const folder = mkdtempSync(path.join(tmpdir(), 'paper-alerts-'));
const diskFolder = path.join(folder, 'disk');
mkdirSync(diskFolder);
const disk = LoopDisk.make(diskFolder, DISK_BYTES);
const clocks = FakeClocks.make(path.join(folder, 'clocks'));
const clockEnv = clocks instanceof FakeClocks ? clocks.env : {};
const mount = disk instanceof LoopDisk ? disk.folder : null;
const exchange = await ServiceExchange.start({
  folder,
  postgresDir: path.join(mount ?? folder, 'data'),
  envOf: (name) => (name === 'command-api' ? clockEnv : {}),
});
const problems: string[] = [];
const outcomes: RoundOutcome[] = [];
const watchers = await Watchers.start(path.join(folder, 'watchers'), exchange, mount);
const apiKeys = await prepareTrading(exchange, { accounts: CLIENTS, markets: [MARKET] });
const urls = (): readonly string[] => [exchange.baseUrl];
const load = startOrderLoad({ apiKeys, marketId: MARKET, name: 'alerts', restMs: (1_000 * CLIENTS) / orders, urls });
try {
  if (quiet !== false) {
    log(`${quiet} min without a fault`);
    problems.push(...(await playQuiet(quiet * 60_000, watchers)));
  }
  const rounds = chosen.length > 0 ? chosen : FAULT_ROUNDS;
  for (const names of faults ? rounds : []) {
    log(names.join(', '));
    const played = ALERT_FAULTS.filter(({ name }) => names.includes(name));
    const outcome = await playRound(played, hold * 1000, { clocks, disk, exchange }, watchers);
    for (const problem of outcome.problems) log(`FOUND: ${problem}`);
    problems.push(...outcome.problems);
    outcomes.push(outcome);
  }
  await load.stop();
  problems.push(...(await exchange.orderProblems(load)));
} finally {
  await watchers.stop();
  await exchange.stop();
  if (disk instanceof LoopDisk) disk.remove();
  if (clocks instanceof FakeClocks) clocks.sweep();
}
report();
rmSync(folder, { recursive: true, force: true });
process.exit(problems.length === 0 ? 0 : 1);

function log(line: string): void {
  process.stderr.write(`${((performance.now() - startedMs) / 1000).toFixed(1)} s  ${line}\n`);
}

function report(): void {
  const table = new Table({
    head: ['fault', 'cause', 'fires after', 'is notified after', 'resolves after healing', 'held back in this round'],
    colAligns: ['left', 'left', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [] },
    wordWrap: true,
    colWidths: [20, 34, 13, 19, 24, 26],
  });
  const seconds = (ms: number | null): string => (ms === null ? 'never' : `${Math.round(ms / 1000)} s`);
  for (const { causes, heldBack, unnoticed } of outcomes) {
    const others = heldBack.join(' ');
    for (const fault of unnoticed) table.push([fault, 'none', '', '', '', others]);
    for (const [nth, { alert, fault, firedMs, notifiedMs, resolvedMs }] of causes.entries()) {
      const times = [firedMs, notifiedMs, resolvedMs].map(seconds);
      table.push([fault, alert, ...times, nth === 0 ? others : '']);
    }
  }
  const held = faults ? `; each fault held for ${hold} s` : '';
  console.log(`${load.answered.size.toLocaleString('en-US')} orders answered${held}.`);
  if (quiet !== false) console.log(`${quiet} minutes of load without a fault${faults ? ' came first' : ''}.`);
  if (faults) console.log(table.toString());
  for (const skipped of outcomes.flatMap((one) => one.skipped)) console.log(`skipped: ${skipped}`);
  for (const problem of problems) console.log(`FOUND: ${problem}`);
  if (problems.length > 0) return;
  console.log(`Alertmanager notified ${faults ? 'of the causes alone, and ' : ''}of nothing without a fault.`);
}
