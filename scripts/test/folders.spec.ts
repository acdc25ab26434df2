import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { filesBelow, workspaceFolders } from '../run/workspace.mjs';

/**
 * The first-level folders of a package are its parts, and are read one after the other. So what they import of each other
 * runs one way: no folder is needed by one that it needs itself. What two need belongs in a third, or beside the folders.
 * Files beside the folders may be below or above them, and the rules of imports find circles of files.
 */
const root = path.resolve(import.meta.dirname, '../..');

/** A folder, and the folders that its files import, each with one of these files. */
type Imports = ReadonlyMap<string, ReadonlyMap<string, string>>;

const IMPORT = /(?:\bfrom|\bimport\(?)\s*'(\.[^']*)'/g;

function importsOf(files: ReadonlyMap<string, string>): Imports {
  const imports = new Map<string, Map<string, string>>();
  for (const [file, text] of files) {
    const folder = folderOf(file);
    if (folder === null) continue;
    const own = imports.get(folder) ?? new Map<string, string>();
    imports.set(folder, own);
    for (const [, imported = ''] of text.matchAll(IMPORT)) {
      const other = folderOf(path.posix.join(path.posix.dirname(file), imported));
      if (other !== null && other !== folder) own.set(other, file);
    }
  }
  return imports;
}

/** The first-level folder of a file, by its path in the package's sources; null for a file beside the folders. */
function folderOf(file: string): string | null {
  const [first = '', ...rest] = file.split('/');
  return rest.length === 0 || first === '..' ? null : first;
}

/** The imports by which a folder needs one that needs it. */
function circular(imports: Imports): readonly string[] {
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return [...(imports.get(from)?.keys() ?? [])].some((next) => reaches(next, to, seen));
  };
  return [...imports].flatMap(([from, others]) =>
    [...others].filter(([to]) => reaches(to, from)).map(([to, file]) => `${from} → ${to} in ${file}`),
  );
}

function sourcesIn(folder: string): ReadonlyMap<string, string> {
  const files = filesBelow(root, [folder]).filter((file) => /\.(?:ts|tsx|mjs)$/.test(file));
  return new Map(files.map((file) => [file.slice(folder.length + 1), readFileSync(path.join(root, file), 'utf8')]));
}

describe('the folders of a package', () => {
  for (const folder of workspaceFolders(root)) {
    for (const sources of readdirSync(path.join(root, folder)).filter((name) => name === 'src' || name === 'web')) {
      it(`need each other one way: ${folder}/${sources}`, () => {
        expect(circular(importsOf(sourcesIn(`${folder}/${sources}`)))).to.deep.equal([]);
      });
    }
  }

  it('in a circle are found, with the files that close it', () => {
    const files = new Map([
      ['a/one.ts', "import { two } from '../b/two.ts';\nimport { beside } from '../beside.ts';"],
      ['b/two.ts', "export { three } from '../c/deep/three.ts';"],
      ['c/deep/three.ts', "const later = () => import('../../a/one.ts');"],
      ['d/four.ts', "import type { One } from '../a/one.ts';"],
      ['beside.ts', "import { four } from './d/four.ts';"],
    ]);
    expect(circular(importsOf(files))).to.deep.equal([
      'a → b in a/one.ts',
      'b → c in b/two.ts',
      'c → a in c/deep/three.ts',
    ]);
  });
});
