import { readdirSync, readFileSync } from 'node:fs';

/** Environment variable that every program started by tests inherits: the ids of its runs, separated by spaces. */
const RUNS = 'PAPER_TEST_RUNS';

/** esbuild's service process compiles TypeScript for its parent, and ends with it. */
const COMPILER = /\/esbuild\0--service=/;

/** How long a killed process may take to end before it counts as a leftover. */
const ENDS_WITHIN_MS = 250;

/** Marks everything that this process starts, directly or not, as part of the run. */
export function joinRun(run) {
  process.env[RUNS] = runsWith(run);
}

/** The variable's value for a process of only this run. */
export function environmentOf(run) {
  return { [RUNS]: runsWith(run) };
}

const runsWith = (run) => [process.env[RUNS], run].filter(Boolean).join(' ');

/** Kills all living processes of the run (on Linux) and prints them. Synchronous, so that it can run at an exit. */
export function killLeftovers(run) {
  for (const untilMs = performance.now() + ENDS_WITHIN_MS; performance.now() < untilMs;) {
    if (processesOf(run).length === 0) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  const killed = processesOf(run).flatMap((pid) => {
    const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim();
    try {
      process.kill(pid, 'SIGKILL');
      return [`${pid} ${command}`];
    } catch {
      return [];
    }
  });
  if (killed.length === 0) return;
  process.stderr.write(`\nThe tests left these running; they were killed:\n  ${killed.join('\n  ')}\n`);
}

/** The living processes of a run except this one; none without /proc. */
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

/** Reads a file of a process; empty if the process has ended or belongs to another user. */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
