import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The folders of the packages and services, relative to the root: `packages/core/journal`, `services/house`, … */
export function workspaceFolders(root) {
  const groups = readdirSync(path.join(root, 'packages')).map((group) => `packages/${group}`);
  return [...groups, 'services'].flatMap((group) =>
    readdirSync(path.join(root, group))
      .map((name) => `${group}/${name}`)
      .filter((folder) => existsSync(path.join(root, folder, 'package.json'))),
  );
}

/**
 * The files below these folders, relative to the root and sorted, without those of `node_modules`. Not by a recursive
 * `readdir`: from Node 22 on it follows pnpm's links, which form cycles, until the memory is used up.
 */
export function filesBelow(root, folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      if (entry.isFile()) return [name];
      return entry.isDirectory() && entry.name !== 'node_modules' ? filesBelow(root, [name]) : [];
    }),
  );
  return files.sort();
}
