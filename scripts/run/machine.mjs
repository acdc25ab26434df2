import { createHash } from 'node:crypto';
import os from 'node:os';

/** The variable with the factor by which this machine is slower than an idle reference machine, at least 1. */
const FACTOR = 'PAPER_MACHINE_FACTOR';

/** The SHA-256 of this many bytes takes REFERENCE_MS on one idle core of the reference machine. */
const BYTES = 32 * 1024 * 1024;
const REFERENCE_MS = 100;
/** The largest factor: beyond it test results mean little, and a run that hangs must end. */
const FACTOR_MAX = 20;

/** The speed measured at the start of the run. */
let measured = Math.max(1, Number(process.env[FACTOR]) || 1);

/** Measures the machine, unless the environment has the factor, and stores it there for all child processes. */
export function measureMachine() {
  if (Number(process.env[FACTOR]) >= 1) return;
  measured = factorOf({ loadPerCore: loadPerCore(), workMs: timedWork() });
  process.env[FACTOR] = String(measured);
}

/** Returns the present factor, since load may begin after the start, and stores it in the environment too. */
export function followLoad() {
  const factor = factorOf({ loadPerCore: loadPerCore(), workMs: measured * REFERENCE_MS });
  process.env[FACTOR] = String(factor);
  return factor;
}

/** The slowdown of this machine: by its speed, or by its load, since the measured work is too short to show that. */
export function factorOf({ loadPerCore, workMs }) {
  const factor = Math.min(FACTOR_MAX, Math.max(1, workMs / REFERENCE_MS, loadPerCore));
  return Math.round(factor * 10) / 10;
}

const loadPerCore = () => os.loadavg()[0] / os.cpus().length;

function timedWork() {
  const block = Buffer.alloc(1024 * 1024);
  const startedMs = performance.now();
  const hash = createHash('sha256');
  for (let bytes = 0; bytes < BYTES; bytes += block.length) hash.update(block);
  hash.digest();
  return performance.now() - startedMs;
}
