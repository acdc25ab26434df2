import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from './workspace.mjs';

/** Folders whose specs form one item, since they share an exchange that is started once (`describeSharedExchange`). */
const SHARED = /^.*\/shared-exchange(?=\/)/;

/** Suffixes of specs, the slowest kind first: whole systems, real servers, units. */
const LEVELS = ['.e2e.spec.ts', '.int.spec.ts', '.spec.ts'];

/** Suites that only CI runs (CI=1): drills and whole systems, whose parts are covered by other suites. */
export const LEFT_TO_CI = new Set([
  'packages/clients/client-python/test/client.e2e.spec.ts',
  'packages/core/auditor/test/public-file.spec.ts',
  'packages/core/read-models/test/query-plans.int.spec.ts',
  'packages/kit/embedded-postgres/test/keep-running.int.spec.ts',
  'packages/operations/operator-cli/test/audit.int.spec.ts',
  'packages/operations/operator-cli/test/backtest.int.spec.ts',
  'scripts/test/commands.e2e.spec.ts',
  'services/command-api/test/failover.e2e.spec.ts',
  'services/house/test/demo/demo-simulation.spec.ts',
  'services/query-api/test/page-thread.int.spec.ts',
  'services/standalone/test/oldest-postgres.e2e.spec.ts',
  'services/standalone/test/rotation.int.spec.ts',
  'services/standalone/test/service-file.e2e.spec.ts',
  'services/standalone/test/signals.e2e.spec.ts',
]);

/** What a spec, or a file that it imports from beside it, names if a long run (LONG_TESTS=1) has more of its tests. */
const LONG = /\b(longTest|isLongSuiteLeftOut|IS_LONG_RUN|LONG_TESTS|describe(Shared)?ClientOfExchange)\b/;

/** Suites that only `.ci/full` runs (LONG_TESTS=1), since `.ci/run` has ten minutes: drills, and further pages. */
export const LEFT_TO_FULL = new Set([
  'packages/core/command-side/test/snapshot-child.e2e.spec.ts',
  'packages/core/journal/test/eventstoredb-faults-random.spec.ts',
  'packages/core/read-models/test/going-back.int.spec.ts',
  'packages/core/read-models/test/rebuild-killed.int.spec.ts',
  'packages/kit/embedded-postgres/test/embedded-postgres.int.spec.ts',
  'packages/operations/operator-cli/test/export.int.spec.ts',
  'packages/operations/operator-cli/test/rebuild.int.spec.ts',
  'packages/operations/supervisor/test/front-door-tls.int.spec.ts',
  'packages/operations/supervisor/test/front-door.int.spec.ts',
  'packages/operations/supervisor/test/redis-tls.int.spec.ts',
  'packages/testing/simulation/test/simulation.spec.ts',
  'scripts/test/alerts.spec.ts',
  'scripts/test/as-of.int.spec.ts',
  'scripts/test/image.e2e.spec.ts',
  'scripts/test/kubernetes.spec.ts',
  'scripts/test/start-services.e2e.spec.ts',
  'scripts/test/test-run.spec.ts',
  'services/backtests/test/host/kills.e2e.spec.ts',
  'services/backtests/test/process/backtest-process.e2e.spec.ts',
  'services/command-api/test/database-roles.int.spec.ts',
  'services/command-api/test/timers-failover.e2e.spec.ts',
  'services/command-api/test/upgrade.e2e.spec.ts',
  'services/house/test/demo/journal-budget.spec.ts',
  'services/house/test/farming.spec.ts',
  'services/portal/test/email.e2e.spec.ts',
  'services/portal/test/head.e2e.spec.ts',
  'services/portal/test/market-chart.e2e.spec.ts',
  'services/portal/test/market-phases.e2e.spec.ts',
  'services/portal/test/pass-through.e2e.spec.ts',
  'services/portal/test/people/automation-key.e2e.spec.ts',
  'services/portal/test/people/people.e2e.spec.ts',
  'services/portal/test/people/pictures.e2e.spec.ts',
  'services/portal/test/traders-and-activity.e2e.spec.ts',
  'services/standalone/test/damaged-page.e2e.spec.ts',
  'services/standalone/test/demo.e2e.spec.ts',
  'services/standalone/test/first-fill.e2e.spec.ts',
  'services/standalone/test/full-disk.e2e.spec.ts',
  'services/standalone/test/generated-code.e2e.spec.ts',
  'services/standalone/test/held-folder.e2e.spec.ts',
  'services/standalone/test/lost-head.e2e.spec.ts',
  'services/standalone/test/mains.e2e.spec.ts',
  'services/standalone/test/names.e2e.spec.ts',
  'services/standalone/test/newer-journal.e2e.spec.ts',
  'services/standalone/test/outages.e2e.spec.ts',
  'services/standalone/test/page.e2e.spec.ts',
  'services/standalone/test/real-markets.e2e.spec.ts',
  'services/standalone/test/real-set.e2e.spec.ts',
  'services/standalone/test/restore-across.e2e.spec.ts',
  'services/standalone/test/restore-beside.e2e.spec.ts',
  'services/standalone/test/restore.e2e.spec.ts',
  'services/standalone/test/restored-journal.e2e.spec.ts',
  'services/standalone/test/secrets.e2e.spec.ts',
  'services/standalone/test/settings-of-load.e2e.spec.ts',
  'services/standalone/test/several.e2e.spec.ts',
  'services/standalone/test/snapshots.e2e.spec.ts',
  'services/standalone/test/traces.e2e.spec.ts',
]);

/**
 * The items of a test run: specs, or all specs of a folder that share an exchange. The slowest are expected to come
 * first, so that none is left for the end, when the other workers have nothing to do.
 */
export function itemsOf(root) {
  const items = new Map();
  for (const file of filesBelow(root, ['packages', 'services', 'scripts'])) {
    if (!file.endsWith('.spec.ts')) continue;
    const name = SHARED.exec(file)?.[0] ?? file;
    const level = LEVELS.findIndex((suffix) => file.endsWith(suffix));
    const item = items.get(name) ?? { files: [], level, bytes: 0 };
    item.files.push(file);
    item.bytes += statSync(path.join(root, file)).size;
    items.set(name, item);
  }
  return [...items.values()]
    .sort((a, b) => a.level - b.level || b.bytes - a.bytes)
    .map(({ files, level }) => ({ files, isUnit: level === LEVELS.length - 1 }));
}

/** Whether a long run (LONG_TESTS=1) has tests of an item that `.ci/run` leaves out. */
export function isLong(root, { files }) {
  return files.some((file) => LEFT_TO_FULL.has(file) || namesLongTests(root, file));
}

function namesLongTests(root, file) {
  const text = readFileSync(path.join(root, file), 'utf8');
  const beside = [...text.matchAll(/ from '(\.[^']*)'/g)]
    .map(([, specifier]) => path.join(path.dirname(file), specifier))
    .filter((imported) => imported.includes('/test/') && existsSync(path.join(root, imported)))
    .map((imported) => readFileSync(path.join(root, imported), 'utf8'));
  return [text, ...beside].some((each) => LONG.test(each));
}
