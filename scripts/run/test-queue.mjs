import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { joinRun, killLeftovers } from './leftovers.mjs';
import { onEndSignal } from './signals.mjs';
import { buildForTests } from './test-build.mjs';
import { startWorker } from './test-worker.mjs';

/** The processes of mocha at a time: more than cores, since specs of services mostly wait. Long ones do so less. */
const WORKERS = process.env.LONG_TESTS === '1' ? 4 : 6;

/** How many workers take unit specs first. Unit specs use a whole core, so more at a time would slow each other down. */
const UNIT_WORKERS = 2;

/** The heading above the failures of all items; `.ci/run` searches for it. */
const FAILURES_HEADING = 'The failures again:';

/**
 * Runs the items (`test-items.mjs`) in workers, each of which takes the next when it has finished one: unit specs at
 * once, others when the programs that they start are built. Prints the output of an item at its end. Resolves to the
 * exit code.
 */
export async function runQueue(root, options, items, workerCount = WORKERS) {
  const run = randomUUID();
  joinRun(run);
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-tests-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const workers = new Set();
  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  const queue = createQueue(items, buildForTests(root));
  onEndSignal((_code, signal) => {
    queue.stop();
    for (const worker of workers) worker.kill(signal);
  });

  const work = async (_, index) => {
    const next = () => queue.next({ unitsFirst: index < UNIT_WORKERS });
    let worker = null;
    for (let item = await next(); item !== null; item = await next()) {
      worker ??= startWorker(root, options, folder);
      workers.add(worker);
      const { counts, output, failure, hasEnded } = await worker.run(item, process.env.PAPER_BUILT ?? null);
      process.stdout.write(output);
      if (failure !== '') failures.push(failure);
      for (const kind of Object.keys(total)) total[kind] += counts[kind];
      if (hasEnded) {
        workers.delete(worker);
        worker = null;
      }
    }
    if (worker !== null) process.stdout.write(await worker.end());
  };
  await Promise.all(Array.from({ length: Math.min(workerCount, items.length) }, work));
  killLeftovers(run);
  // The failures come at the end, in case only the end of the log is kept.
  if (failures.length > 0) process.stdout.write(`\n${FAILURES_HEADING}\n${failures.join('')}`);
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  return total.failed === 0 ? 0 : 1;
}

/** Creates the queue of items. Items that need built programs wait until `building` resolves. */
export function createQueue(items, building) {
  const units = items.filter(({ isUnit }) => isUnit);
  const others = items.filter(({ isUnit }) => !isUnit);
  let stop;
  const stopped = new Promise((resolve) => (stop = resolve));
  return {
    /** The next item; null at the end of the queue. */
    async next({ unitsFirst }) {
      if (unitsFirst && units.length > 0) return units.shift();
      await Promise.race([building, stopped]);
      return others.shift() ?? units.shift() ?? null;
    },
    stop() {
      units.length = 0;
      others.length = 0;
      stop();
    },
  };
}
