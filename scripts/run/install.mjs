import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startProgress } from '../../packages/kit/commands/src/progress.mjs';

/** Installs the dependencies unless they are installed: `prod` for `npm start` alone, or `full`. */
export async function ensureInstalled(root, wanted) {
  const stampFile = path.join(root, 'node_modules', '.paper-install.json');
  const found = readStamp(stampFile);
  const inputs = {
    lock: createHash('sha256')
      .update(readFileSync(path.join(root, 'pnpm-lock.yaml')))
      .update(readFileSync(path.join(root, 'pnpm-workspace.yaml')))
      .digest('hex'),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    // After a clone was moved or copied, its shims contain the old path.
    root,
  };
  const current = Object.entries(inputs).every(([name, value]) => found?.[name] === value);
  if (current && (found.kind === 'full' || wanted === 'prod')) return;

  // A full install stays full; only a fresh clone gets the small one.
  const kind = wanted === 'full' || found?.kind === 'full' || (found === null && hasModules(root)) ? 'full' : 'prod';
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const { status, output } = await install(root, [
    '--yes',
    '--prefer-offline',
    packageManager,
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
    '--reporter=append-only',
    // Suppresses a question: only this script manages node_modules.
    '--config.confirmModulesPurge=false',
    ...(kind === 'prod' ? ['--prod'] : []),
  ]);
  if (status !== 0) {
    process.stderr.write(`${output}\nThe dependencies could not be installed.\n`);
    process.exit(status);
  }
  writeFileSync(stampFile, `${JSON.stringify({ ...inputs, kind })}\n`);
}

/** Runs pnpm; returns its exit code and output. */
async function install(root, args) {
  const child = spawn('npx', args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: '',
      npm_config_update_notifier: 'false',
      npm_config_loglevel: 'error',
      // If this command runs by `npx --package node@24`, npx would take pnpm for a program of that package.
      npm_config_package: undefined,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const progress = startProgress('Installing dependencies (once)', { detail: () => packagesOf(output) });
  try {
    const [code] = await once(child, 'close');
    return { output, status: code ?? 1 };
  } catch (error) {
    return { output: `${output}${error.message}`, status: 1 };
  } finally {
    progress.done();
  }
}

/** pnpm's progress, by the last line of its output; empty before the first. */
export function packagesOf(output) {
  const last = output.slice(output.lastIndexOf('Progress: resolved'));
  const [, resolved, added] = /^Progress: resolved (\d+), .*added (\d+)/.exec(last) ?? [];
  return resolved === undefined ? '' : `${added} of ${resolved} packages`;
}

const hasModules = (root) => existsSync(path.join(root, 'node_modules', '.modules.yaml'));

function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
