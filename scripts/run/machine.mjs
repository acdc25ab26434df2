import { createHash } from 'node:crypto';
import os from 'node:os';

/** How much slower this machine is than an idle one of today: a factor of at least 1. It is measured once for a run. */
const FACTOR = 'PAPER_MACHINE_FACTOR';

/** SHA-256 of so much takes REFERENCE_MS on one core of such a machine, where that has nothing else to do. */
const BYTES = 32 * 1024 * 1024;
const REFERENCE_MS = 100;
/** Beyond it tests say nothing about the code any more, and a run that hangs has to end. */
const FACTOR_MAX = 20;

/** Measures the machine, unless the environment names its factor, and puts it there for all that this process starts. */
export function measureMachine() {
  const given = Number(process.env[FACTOR]);
  if (given >= 1) return given;
  const factor = factorOf({ loadPerCore: os.loadavg()[0] / os.cpus().length, workMs: timedWork() });
  process.env[FACTOR] = String(factor);
  return factor;
}

/** `workMs`: how long the work took. The load counts too, since the work is over in a moment. */
export function factorOf({ loadPerCore, workMs }) {
  const factor = Math.min(FACTOR_MAX, Math.max(1, workMs / REFERENCE_MS, loadPerCore));
  return Math.round(factor * 10) / 10;
}

function timedWork() {
  const block = Buffer.alloc(1024 * 1024);
  const startedMs = performance.now();
  const hash = createHash('sha256');
  for (let bytes = 0; bytes < BYTES; bytes += block.length) hash.update(block);
  hash.digest();
  return performance.now() - startedMs;
}
