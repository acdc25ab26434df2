import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Folders whose specs are one item, since they share an exchange that is started once (`describeSharedExchange`). */
const SHARED = /^.*\/shared-exchange(?=\/)/;

/** Suffixes of specs, those that usually take longest first: whole systems, real servers, units. */
const LEVELS = ['.e2e.spec.ts', '.int.spec.ts', '.spec.ts'];

/**
 * The items of a test run, which workers take one after the other. Each is a spec, or all specs of a folder that share an
 * exchange. Those that are expected to take longest come first, so that none is left for the end, when the other workers
 * have nothing to do.
 */
export function itemsOf(root) {
  const items = new Map();
  for (const file of specsOf(root)) {
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

function specsOf(root) {
  return ['packages', 'services', 'scripts'].flatMap((group) =>
    // With `withFileTypes`, since readdir would otherwise follow the links of node_modules.
    readdirSync(path.join(root, group), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.spec.ts'))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
      .sort(),
  );
}
