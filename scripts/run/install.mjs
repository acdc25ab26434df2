import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Installs the dependencies unless they are there. `prod` is what `npm start` needs, without the tools of
 * development; `full` is everything, and serves both.
 */
export function ensureInstalled(root, wanted) {
  const stampFile = path.join(root, 'node_modules', '.paper-install.json');
  const found = readStamp(stampFile);
  const inputs = {
    lock: createHash('sha256')
      .update(readFileSync(path.join(root, 'pnpm-lock.yaml')))
      .update(readFileSync(path.join(root, 'pnpm-workspace.yaml')))
      .digest('hex'),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    // A clone that was moved or copied has shims that name the old place.
    root,
  };
  const current = Object.entries(inputs).every(([name, value]) => found?.[name] === value);
  if (current && (found.kind === 'full' || wanted === 'prod')) return;

  // What was there in full stays in full: only a fresh clone gets the small install.
  const kind = wanted === 'full' || found?.kind === 'full' || (found === null && hasModules(root)) ? 'full' : 'prod';
  process.stderr.write(`Installing dependencies (once) …\n`);
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const installed = spawnSync(
    'npx',
    [
      '--yes',
      '--prefer-offline',
      packageManager,
      'install',
      '--frozen-lockfile',
      '--prefer-offline',
      '--reporter=append-only',
      // Nobody is asked: the folder is ours to change.
      '--config.confirmModulesPurge=false',
      ...(kind === 'prod' ? ['--prod'] : []),
    ],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: '', npm_config_update_notifier: 'false', npm_config_loglevel: 'error' },
    },
  );
  if (installed.status !== 0) {
    process.stderr.write(`${installed.stdout ?? ''}${installed.stderr ?? ''}${installed.error?.message ?? ''}\n`);
    process.stderr.write('The dependencies could not be installed.\n');
    process.exit(installed.status ?? 1);
  }
  writeFileSync(stampFile, `${JSON.stringify({ ...inputs, kind })}\n`);
}

const hasModules = (root) => existsSync(path.join(root, 'node_modules', '.modules.yaml'));

function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
