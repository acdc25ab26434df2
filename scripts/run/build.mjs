import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runLocal } from './local.mjs';

/** What pnpm needs of the workspace to install from its lockfile. */
const WORKSPACE = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];

/**
 * Builds the services into ./dist, a workspace like this one with JavaScript in place of TypeScript: every file keeps
 * its place, so what is found beside a file, or started by its name, is found and started there too. The exit code.
 */
export async function build(root) {
  const dist = path.join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const { code, output } = await runLocal(root, 'tsc', ['-p', 'tsconfig.build.json']);
  process.stdout.write(output);
  if (code !== 0) return code;
  for (const file of WORKSPACE) copyFileSync(path.join(root, file), path.join(dist, file));
  for (const folder of workspaceFolders(root)) {
    if (!existsSync(path.join(dist, folder))) continue;
    writeFileSync(path.join(dist, folder, 'package.json'), builtManifest(path.join(root, folder)));
    copyAssets(path.join(root, folder, 'src'), path.join(dist, folder, 'src'));
  }
  process.stdout.write('Built into dist.\n');
  return 0;
}

function workspaceFolders(root) {
  return ['packages', 'services'].flatMap((group) =>
    readdirSync(path.join(root, group)).map((name) => path.join(group, name)),
  );
}

/** The package exports what was built. */
function builtManifest(folder) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const exported = Object.entries(manifest.exports).filter(([, file]) => file.startsWith('./src/'));
  manifest.exports = Object.fromEntries(exported.map(([name, file]) => [name, file.replace(/\.ts$/, '.js')]));
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** What a service serves or runs and no compiler makes: pages, styles, pictures, scripts. */
function copyAssets(from, to) {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.ts')) continue;
    const source = path.join(entry.parentPath, entry.name);
    const target = path.join(to, path.relative(from, source));
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(source, target);
  }
}
