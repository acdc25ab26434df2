import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { startProgress } from '../../packages/kit/commands/src/progress.mjs';
import { buildPrograms } from './build.mjs';
import { onEndSignal } from './signals.mjs';
import { filesBelow } from './workspace.mjs';

/** The number of builds that are kept, since a set of services that runs an older build may still restart from it. */
const KEPT = 3;
const GROUPS = ['packages', 'services', 'scripts'];
const OTHERS = ['package.json', 'pnpm-lock.yaml', 'tsconfig.base.json'];
/** Tests and benchmarks are not built. */
const LEFT_OUT = /(^|\/)(test|bench|chaos|fuzz|simulation|testkit)\//;

/**
 * Builds the services as JavaScript, once for each state of the sources, in a folder named after their hash. A built
 * program starts with a third of the processor time. A test run names its build in PAPER_BUILT.
 * @returns the folder; null if the build failed, or if this user may not write it: the reason was printed.
 */
export async function builtServices(root) {
  if (process.env.PAPER_BUILT) return process.env.PAPER_BUILT;
  const folder = folderOf(root);
  if (!existsSync(folder)) {
    const progress = startProgress('Building the services (once for these sources)');
    try {
      if (!(await make(folder, root))) return null;
    } catch (error) {
      process.stderr.write(`The services could not be built, so they start from their sources: ${error.message}.\n`);
      return null;
    } finally {
      progress.done();
    }
  }
  keepNewest(folder);
  return folder;
}

/** The folder of these sources' build, if there is one. */
export function builtBefore(root) {
  const folder = process.env.PAPER_BUILT || folderOf(root);
  return existsSync(folder) ? folder : null;
}

function folderOf(root) {
  return path.join(root, '.cache', 'services', sourceHash(root));
}

/** Builds the folder, whole or not at all. Returns false if the build failed, which was printed. */
async function make(folder, root) {
  mkdirSync(path.dirname(folder), { recursive: true });
  forgetCutShort(path.dirname(folder));
  const making = `${folder}.${process.pid}`;
  const remove = () => rmSync(making, { recursive: true, force: true });
  remove();
  const leaveSignals = onEndSignal((code) => {
    remove();
    process.exit(code);
  });
  try {
    if ((await buildPrograms(root, making)) !== 0) return false;
    renameSync(making, folder);
  } catch (error) {
    // Another start has built the same at this moment.
    if (!existsSync(folder)) throw error;
  } finally {
    leaveSignals();
    remove();
  }
  return true;
}

function sourceHash(root) {
  // The build names the dependencies by their paths.
  const hash = createHash('sha256').update(`${process.version}\0${root}`);
  const files = filesBelow(root, GROUPS).filter((file) => !LEFT_OUT.test(file));
  for (const file of [...files, ...OTHERS].sort()) {
    hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest('hex').slice(0, 32);
}

/** Notes that the build is in use, and removes the builds that were used longest ago, if this user may. */
function keepNewest(folder) {
  const builds = path.dirname(folder);
  try {
    const now = new Date();
    utimesSync(folder, now, now);
    const newestFirst = readdirSync(builds)
      .filter((name) => /^[0-9a-f]{32}$/.test(name))
      .map((name) => ({ name, at: statSync(path.join(builds, name)).mtimeMs }))
      .sort((a, b) => b.at - a.at);
    for (const { name } of newestFirst.slice(KEPT)) rmSync(path.join(builds, name), { recursive: true, force: true });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  }
}

/** Removes builds whose process was killed. */
function forgetCutShort(builds) {
  for (const name of readdirSync(builds)) {
    const [, pid] = /^[0-9a-f]{32}\.(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(path.join(builds, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
