import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { onEndSignal } from './signals.mjs';

/** The number of builds that are kept, since a set of services that runs an older build may still restart from it. */
const KEPT = 3;
const GROUPS = ['packages', 'services', 'scripts'];
const OTHERS = ['package.json', 'pnpm-lock.yaml', 'tsconfig.base.json', 'tsconfig.build.json'];
/** Tests and benchmarks are not built. */
const LEFT_OUT = /(^|\/)(node_modules|test|bench|chaos|fuzz|simulation|testkit)\//;

/**
 * Builds the services as JavaScript, which starts in half of the time, in a folder named after the hash of the sources.
 * Returns the folder; null if the build failed, with the reason printed.
 */
export async function builtServices(root) {
  // A test run has built them already.
  if (process.env.PAPER_BUILT !== undefined) return process.env.PAPER_BUILT;
  const builds = path.join(root, '.cache', 'services');
  const folder = path.join(builds, sourceHash(root));
  if (!existsSync(folder)) {
    process.stderr.write('Building the services (once for these sources) …\n');
    mkdirSync(builds, { recursive: true });
    forgetCutShort(builds);
    // Another start may build the same at this moment; the first one to finish renames its folder.
    const making = `${folder}.${process.pid}`;
    const remove = () => rmSync(making, { recursive: true, force: true });
    remove();
    const leaveSignals = onEndSignal((code) => {
      remove();
      process.exit(code);
    });
    const code = await build(root, [making]);
    leaveSignals();
    if (code !== 0) {
      remove();
      return null;
    }
    try {
      renameSync(making, folder);
    } catch (error) {
      remove();
      if (!existsSync(folder)) throw error;
    }
  }
  const now = new Date();
  utimesSync(folder, now, now);
  forgetOlder(builds);
  return folder;
}

function sourceHash(root) {
  const hash = createHash('sha256').update(process.version);
  const files = GROUPS.flatMap((group) =>
    readdirSync(path.join(root, group), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/')),
  ).filter((file) => !LEFT_OUT.test(file));
  for (const file of [...files, ...OTHERS].sort()) {
    hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest('hex').slice(0, 32);
}

function forgetOlder(builds) {
  const newestFirst = readdirSync(builds)
    .filter((name) => /^[0-9a-f]{32}$/.test(name))
    .map((name) => ({ name, at: statSync(path.join(builds, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of newestFirst.slice(KEPT)) rmSync(path.join(builds, name), { recursive: true, force: true });
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
