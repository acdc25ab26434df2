import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startCommand } from '@paper/commands';
import { freePort } from '@paper/runtime';
import { createRandom } from '@paper/testkit';
import type { Random } from '@paper/testkit';
import { playClock } from './clock.ts';
import { playDisks } from './disk-drill.ts';
import { playDiskFull } from './disk-full.ts';
import { finishAndJudge } from './ending.ts';
import { FakeClocks } from './fake-clocks.ts';
import { Findings, FINDINGS } from './findings.ts';
import type { FindingKind } from './findings.ts';
import { Judge } from './judge.ts';
import { playKills } from './kills.ts';
import { Load } from './load.ts';
import { whyNoVolatileDisk } from './power/volatile-disk.ts';
import { playPowerLosses } from './power-loss.ts';
import { Recoveries } from './recoveries.ts';
import { SupervisedStandalone } from './standalone.ts';
import { readJournal } from './chaos-run.ts';
import type { ChaosRun } from './chaos-run.ts';

/**
 * `npm run chaos` runs the service of `npm start` under load through faults of a machine: kill −9 of the process, of
 * its Postgres, of both; a full disk; changed clocks; loss of power with every unflushed write. After every recovery
 * the clients' answers are compared with the journal. At the end the journal is audited, and the read models are
 * compared with a rebuild. The same seed gives the same faults at the same times, but the processes vary.
 */
const TOKEN = 'operator-of-the-chaos';
const KILLS_PER_OTHER_FAULT = 20;
const ONLY_KILLS = 'only kills are asked for';
const ONLY_POWER = 'only losses of power are asked for';
const ONLY_DISKS = 'only full disks and a killed database are asked for';
/** The most that the service and Postgres may log while disks are full: an operator's disk has no space for more. */
const LOG_BYTES_MAX = 1024 * 1024;

const { args, options, subcommand } = startCommand<{
  readonly clocks?: number;
  readonly lyingDisk?: boolean;
  readonly onlyKills?: boolean;
  readonly onlyPower?: boolean;
  readonly power?: number;
}>('chaos');
const [kills = 20, seed = 1] = args as readonly number[];
const others = Math.ceil(kills / KILLS_PER_OTHER_FAULT);
const { clocks: clockTimes = others, onlyKills = false, onlyPower = false, power: powerTimes = others } = options;
const onlyDisks = subcommand === 'disk-full';
/** The reason why only a part of the run is executed; null if all of it is. */
const only = onlyKills ? ONLY_KILLS : onlyPower ? ONLY_POWER : onlyDisks ? ONLY_DISKS : null;
if (process.platform !== 'linux') {
  console.error('This needs Linux: it finds the processes of Postgres in /proc.');
  process.exit(2);
}

const startedMs = performance.now();
const folder = mkdtempSync(path.join(tmpdir(), 'paper-chaos-'));
const findings = new Findings();
const recoveries = new Recoveries();
const judge = new Judge(findings);
const [port, metricsPort] = [await freePort(), await freePort()];
const addresses = { baseUrl: `http://127.0.0.1:${port}`, metricsUrl: `http://127.0.0.1:${metricsPort}` };
const env = {
  PORT: String(port),
  METRICS_PORT: String(metricsPort),
  OPERATOR_TOKENS: `chaos:${TOKEN}`,
  RATE_LIMITS: 'off',
  // The level of `npm start`, since the log's size is judged.
  LOG_LEVEL: onlyDisks ? 'warn' : 'info',
  // Snapshots are frequent, so that starts use them and kills interrupt them.
  SNAPSHOT_EVERY: '2000',
};
const logFile = path.join(folder, 'standalone.log');
mkdirSync(path.join(folder, 'data'), { mode: 0o700 });
const standalone = new SupervisedStandalone({ dataDir: path.join(folder, 'data'), env, logFile }, findings);
const clocks = only ?? FakeClocks.make(path.join(folder, 'clocks'));
const skipped: string[] = [];
let ending: Awaited<ReturnType<typeof finishAndJudge>> | null = null;
try {
  await standalone.start();
  await readJournal(standalone, (journal) => judge.begin(journal));
  const load = await Load.start({ baseUrl: addresses.baseUrl, findings, judge, operatorToken: TOKEN, randomOf });
  await playAll({ addresses, findings, judge, load, log, randomOf, recoveries, standalone });
  await load.stop();
  await standalone.stop();
  // House bots are off, since they would trade while the read models are compared.
  await standalone.start({ env: { ...env, DEMO: 'off', HOUSE_BOTS: 'off' } });
  await readJournal(standalone, (journal) => judge.readOn(journal));
  ending = await finishAndJudge(standalone, addresses, findings);
} catch (error) {
  findings.endedBy(error);
} finally {
  await standalone.discard();
  if (clocks instanceof FakeClocks) clocks.sweep();
}
report();
// Exits even if clients whose requests are never answered still wait.
process.exit(findings.all.length > 0 ? 1 : 0);

async function playAll(run: ChaosRun): Promise<void> {
  if (onlyDisks) {
    const noDisks = await playDisks(run, kills);
    if (noDisks !== null) skipped.push(`disks: ${noDisks}`);
    const bytes = logBytes();
    console.log(`The logs of the service and its Postgres have ${bytes.toLocaleString('en-US')} bytes.`);
    if (bytes > LOG_BYTES_MAX) findings.failed(`the logs have ${bytes} bytes`);
    return;
  }
  if (onlyPower) skipped.push(`kills: ${ONLY_POWER}`);
  else await playKills(run, kills);
  const noDisk = only ?? (await playDiskFull(run, others));
  if (noDisk !== null) skipped.push(`disk full: ${noDisk}`);
  if (clocks instanceof FakeClocks) await playClock(run, clocks, clockTimes);
  else skipped.push(`clock set: ${clocks}`);
  const noPower = onlyKills ? ONLY_KILLS : await whyNoVolatileDisk(folder);
  if (noPower === null) await playPowerLosses(run, powerTimes, options.lyingDisk === true);
  else skipped.push(`power lost: ${noPower}`);
}

function logBytes(): number {
  const files = [logFile, ...['postgres.log', 'postgres.log.1'].map((name) => path.join(standalone.dataDir, name))];
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}

function randomOf(name: string): Random {
  const salt = Buffer.from(name).reduce((sum, byte) => Math.imul(sum, 31) + byte, 7);
  return createRandom(seed ^ salt);
}

function log(line: string): void {
  process.stderr.write(`${((performance.now() - startedMs) / 1000).toFixed(1)} s  ${line}\n`);
}

function report(): void {
  const count = (value: number): string => value.toLocaleString('en-US');
  const { clients, house, service } = judge.senders;
  console.log(
    `Seed ${seed}: ${count(standalone.kills)} kills, ${count(standalone.lives)} lives of the process, ` +
      `${count(judge.acknowledged)} acknowledged commands, ${count(judge.head.seq)} events, in ${Math.round((performance.now() - startedMs) / 1000)} s.`,
  );
  console.log(
    `The journal has ${count(clients)} decisions of clients, ${count(house)} of the house, ${count(service)} of the service itself.`,
  );
  console.log(recoveries.table());
  for (const what of skipped) console.log(`skipped: ${what}`);
  for (const [kind, title] of Object.entries(FINDINGS)) {
    console.log(`${String(findings.count(kind as FindingKind)).padStart(5)}  ${title}`);
  }
  if (ending !== null) console.log(`${ending.audit}\n${ending.comparison}`);
  if (findings.all.length === 0) {
    rmSync(folder, { recursive: true, force: true });
    return;
  }
  for (const { kind, text } of findings.all.slice(0, 20)) console.log(`FOUND (${FINDINGS[kind]}): ${text}`);
  console.log(
    `The data folder and the log are kept in ${folder}. Again: npm run chaos --${onlyDisks ? ' disk-full' : ''} ${kills} ${seed}${again()}`,
  );
}

/** The options that repeat the run. */
function again(): string {
  if (onlyKills) return ' --only-kills';
  const given: string[] = onlyPower ? ['--only-power'] : [];
  if (options.lyingDisk === true) given.push('--lying-disk');
  if (clockTimes !== others) given.push(`--clocks ${clockTimes}`);
  if (powerTimes !== others) given.push(`--power ${powerTimes}`);
  return given.map((option) => ` ${option}`).join('');
}
