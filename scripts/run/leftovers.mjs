import { readdirSync, readFileSync } from 'node:fs';

/** Each program that a test starts inherits it: a list of the runs that the program belongs to, with spaces between. */
const RUNS = 'PAPER_TEST_RUNS';

/** What reads TypeScript for a process, and ends with it by itself. */
const COMPILER = /\/esbuild\0--service=/;

/** A kill takes a moment, and a process that is ending anyway is no leftover. */
const ENDS_WITHIN_MS = 250;

/** From now on whatever this process starts, and whatever those start, belongs to the run. */
export function belongTo(run) {
  process.env[RUNS] = runsWith(run);
}

/** The value of the environment for a process of this run alone. */
export function environmentOf(run) {
  return { [RUNS]: runsWith(run) };
}

const runsWith = (run) => [process.env[RUNS], run].filter(Boolean).join(' ');

/**
 * Kills the processes of the run that still live, at once and without waiting, so that it can be the last thing that a
 * process does. Gives what they were, `pid command`. It finds them by /proc, so on Linux alone.
 */
export function killLeftovers(run) {
  for (const untilMs = performance.now() + ENDS_WITHIN_MS; performance.now() < untilMs;) {
    if (processesOf(run).length === 0) return [];
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  return processesOf(run).flatMap((pid) => {
    const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim();
    try {
      process.kill(pid, 'SIGKILL');
      return [`${pid} ${command}`];
    } catch {
      return [];
    }
  });
}

/** The living processes of a run but this one; none where there is no /proc. */
export function processesOf(run) {
  return pids().filter(
    (pid) => pid !== process.pid && read(pid, 'environ').includes(run) && !COMPILER.test(read(pid, 'cmdline')),
  );
}

function pids() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Empty of a process that is gone, and of another user's. */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
