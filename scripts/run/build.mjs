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
 * Builds the services and the operators' commands into a folder: a workspace like this one in JavaScript, in which
 * every file keeps its relative path. Returns the exit code. By default the folder is ./dist, which is recreated, to be
 * installed like a workspace; a folder given as argument (empty or new) gets links to the dependencies installed here
 * and bundled programs, and can be run at once.
 */
export async function build(root, [folder]) {
  const dist = path.resolve(root, folder ?? 'dist');
  if (folder === undefined) {
    rmSync(dist, { recursive: true, force: true });
  } else if (existsSync(dist) && readdirSync(dist).length > 0) {
    process.stderr.write(`${dist} is not empty: nothing was built.\n`);
    return 1;
  }
  const made = await Promise.all([
    runLocal(root, 'tsc', ['-p', 'tsconfig.build.json', '--outDir', dist]),
    runProgram(root, 'services/portal/src/pages/write-bundle.ts', [path.join(dist, PORTAL_FILES)]),
    runProgram(root, 'packages/clients/client-files/src/write.ts', [path.join(dist, CLIENT_FILES)]),
  ]);
  for (const { output } of made) process.stdout.write(output);
  const failed = made.find(({ code }) => code !== 0);
  if (failed !== undefined) return failed.code;
  for (const file of WORKSPACE) copyFileSync(path.join(root, file), path.join(dist, file));
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  for (const folder of workspaceFolders(root)) {
    if (!existsSync(path.join(dist, folder))) continue;
    writeFileSync(path.join(dist, folder, 'package.json'), builtManifest(path.join(root, folder), version));
    copyAssets(path.join(root, folder, 'src'), path.join(dist, folder, 'src'));
  }
  copyFileSync(path.join(root, FORMAT), path.join(dist, PAGES, path.basename(FORMAT)));
  if (folder !== undefined) {
    linkInstalled(root, dist);
    await bundlePrograms(dist);
  }
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
