import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { bundlePrograms } from './bundle.mjs';
import { runLocal, runProgram } from './local.mjs';
import { workspaceFolders } from './workspace.mjs';

/** A file of another folder that the query API's pages serve; in a build it is next to the pages. */
const FORMAT = 'packages/core/journal/FORMAT.md';
const PAGES = 'services/query-api/src/pages';

/** The portal's browser code, bundled: a built portal needs no bundler. */
const PORTAL_FILES = 'services/portal/src/pages/built';

/** The packages of the clients: a built service needs no sources to make them from. */
const CLIENT_FILES = 'packages/clients/client-files/src/built';

/** Files of the workspace that pnpm needs to install from its lockfile. */
const WORKSPACE = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];

/**
 * Builds the services and the operators' commands into ./dist, which is recreated: a workspace like this one with
 * JavaScript instead of TypeScript, to be installed. Every file keeps its relative path, so files found or started by
 * path are still found. Returns the exit code.
 */
export async function build(root) {
  const dist = path.join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  return buildInto(root, dist, () => runLocal(root, 'tsc', ['-p', 'tsconfig.build.json', '--outDir', dist]));
}

/** Builds the repository into a new folder, with bundled programs and links to dependencies: it can be run at once. */
export async function buildPrograms(root, folder) {
  const dist = path.resolve(root, folder);
  if (existsSync(dist) && readdirSync(dist).length > 0) {
    process.stderr.write(`${dist} is not empty: nothing was built.\n`);
    return 1;
  }
  const bundle = () =>
    bundlePrograms(root, dist).then(
      () => ({ code: 0, output: '' }),
      ({ message }) => ({ code: 1, output: `${message}\n` }),
    );
  const code = await buildInto(root, dist, bundle);
  if (code === 0) linkInstalled(root, dist);
  return code;
}

/** Builds all that services read, with `compile` for the JavaScript. */
async function buildInto(root, dist, compile) {
  const made = await Promise.all([
    compile(),
    runProgram(root, 'services/portal/src/pages/write-bundle.ts', [path.join(dist, PORTAL_FILES)]),
    runProgram(root, 'packages/clients/client-files/src/write.ts', [path.join(dist, CLIENT_FILES)]),
  ]);
  for (const { output } of made) process.stdout.write(output);
  const failed = made.find(({ code }) => code !== 0);
  if (failed !== undefined) return failed.code;
  for (const file of WORKSPACE) copyFileSync(path.join(root, file), path.join(dist, file));
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  for (const folder of workspaceFolders(root)) {
    if (folder.startsWith('packages/testing/')) continue;
    mkdirSync(path.join(dist, folder), { recursive: true });
    writeFileSync(path.join(dist, folder, 'package.json'), builtManifest(path.join(root, folder), version));
    copyAssets(path.join(root, folder, 'src'), path.join(dist, folder, 'src'));
  }
  copyFileSync(path.join(root, FORMAT), path.join(dist, PAGES, path.basename(FORMAT)));
  return 0;
}

/** pnpm's links between packages are relative, so they lead to the built packages. */
function linkInstalled(root, dist) {
  for (const folder of ['.', ...workspaceFolders(root)]) {
    const from = path.join(root, folder, 'node_modules');
    const to = path.join(dist, folder, 'node_modules');
    if (!existsSync(from) || !existsSync(path.dirname(to))) continue;
    const isLink = (file) => !path.basename(file).startsWith('.');
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: isLink });
  }
  symlinkSync(path.join(root, 'node_modules/.pnpm'), path.join(dist, 'node_modules/.pnpm'));
}

/** The package.json, with the version of the repository, and with exports that point to the built files. */
function builtManifest(folder, version) {
  const manifest = { ...JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')), version };
  const exported = Object.entries(manifest.exports).filter(([, file]) => file.startsWith('./src/'));
  manifest.exports = Object.fromEntries(exported.map(([name, file]) => [name, file.replace(/\.ts$/, '.js')]));
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Copies files that are not compiled: pages, styles, pictures, scripts. */
function copyAssets(from, to) {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.ts')) continue;
    const source = path.join(entry.parentPath, entry.name);
    const target = path.join(to, path.relative(from, source));
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(source, target);
  }
}
