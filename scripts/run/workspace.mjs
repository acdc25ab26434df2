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
