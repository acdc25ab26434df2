import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { askStatus, hasSettled } from '@paper/supervisor';
import type { ServiceStatus } from '@paper/supervisor';
import { testRedis } from '@paper/testkit/servers';
import { figure, inTurns, printTable, quantile, seconds, startPostgres } from '../index.ts';

/**
 * Measures how long a process of `npm run start:services` is unavailable after kill −9, until it is ready or stands by,
 * ROUNDS times each (default 5), while a busy thread uses each core.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
/** The interval of checks. Each check queries every process, which slows the start down. */
const LOOK_EVERY_MS = 100;
const NAMES = ['command-api-1', 'query-api-1', 'stream-gateway-1', 'projector-1', 'front-door'];
const root = path.resolve(import.meta.dirname, '../../../../..');

const postgres = await startPostgres();
const dataDir = postgres.serviceDir;
const set = spawn(process.execPath, ['scripts/run.mjs', 'start:services'], {
  cwd: root,
  env: {
    ...process.env,
    npm_lifecycle_event: undefined,
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.connectionString,
    JOURNAL_URL: '',
    LOG_LEVEL: 'silent',
    PORT: '0',
    REDIS_URL: await testRedis(),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(set, 'exit');
const busy: Worker[] = [];
try {
  await once(set.stdout, 'data');
  while (busy.length < cpus().length) busy.push(new Worker('for (;;);', { eval: true }));
  const one = async (name: string): Promise<ServiceStatus> => {
    const found = (await askStatus(dataDir)).services.find((row) => row.name === name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  };
  const tookMs = await inTurns(NAMES, { rounds: ROUNDS }, async (name, round) => {
    const { pid, restarts } = await one(name);
    const killedMs = performance.now();
    process.kill(pid ?? 0, 'SIGKILL');
    for (let now = await one(name); now.restarts === restarts || !hasSettled(now); now = await one(name)) {
      await sleep(LOOK_EVERY_MS);
    }
    const ms = performance.now() - killedMs;
    console.error(`${name}, round ${round} of ${ROUNDS}: ${figure(ms)} ms`);
    return ms;
  });
  console.log(`${cpus().length} cores, each with a thread that is always busy\n`);
  const row = printTable(['killed'], ['times', 'ready again p50', 'max']);
  for (const [index, name] of NAMES.entries()) {
    row(name, ROUNDS, ...[0.5, 1].map((at) => seconds(quantile(tookMs[index] ?? [], at))));
  }
} finally {
  for (const worker of busy) await worker.terminate();
  set.kill('SIGINT');
  await ended;
  await postgres.stop();
}
// Exiting also ends the Redis that was started for this.
process.exit();
