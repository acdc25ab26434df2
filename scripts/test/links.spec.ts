import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';

const root = path.resolve(import.meta.dirname, '../..');

/** Folders without pages of ours. */
const NOT_OURS = new Set(['node_modules', 'data', 'dist', 'coverage']);

/** Every Markdown page of the repository, relative to its root. */
function pagesIn(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) || entry.name.startsWith('.') ? [] : pagesIn(name);
    return entry.name.endsWith('.md') ? [name] : [];
  });
}

const withoutCode = (text: string): string => text.replaceAll(/^ *```[^]*?^ *```$/gm, '');

/** The anchor that GitHub makes of a heading: lower-case, no punctuation, hyphens for spaces. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
    .replaceAll(' ', '-');

function anchorsOf(markdown: string): ReadonlySet<string> {
  return new Set([...withoutCode(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => anchorOf(heading ?? '')));
}

/** The relative links of a page whose target is missing. */
function brokenLinks(page: string, markdown: string): readonly string[] {
  const targets = [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '');
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [file = '', anchor] = target.split('#');
    const absolute = file === '' ? path.join(root, page) : path.resolve(root, path.dirname(page), file);
    if (!existsSync(absolute)) return true;
    if (anchor === undefined || !absolute.endsWith('.md')) return false;
    return !anchorsOf(file === '' ? markdown : readFileSync(absolute, 'utf8')).has(anchor);
  });
}

/** The paths in code spans of a page that do not exist. A word in capitals or a star is a placeholder. */
function missingPaths(markdown: string): readonly string[] {
  const spans = [...withoutCode(markdown).matchAll(/`((?:packages|services|scripts|docs|infra)\/[\w./-]+)`/g)];
  return spans
    .map(([, name]) => name ?? '')
    .filter((name) => !/[A-Z]{4}/.test(path.dirname(name)) && !existsSync(path.join(root, name)));
}

describe('the Markdown pages', () => {
  const pages = pagesIn('.');

  it('are found', () =>
    expect(pages).to.include.members(['README.md', 'docs/prove/audit.md', 'packages/core/journal/FORMAT.md']));

  it('are short where strangers begin', () => {
    const linesOf = (page: string): readonly string[] =>
      readFileSync(path.join(root, page), 'utf8').trimEnd().split('\n');
    expect(linesOf('README.md').length).to.be.at.most(100);
    expect(linesOf('SECURITY.md').length).to.be.at.most(60);
    expect(linesOf('docs/prove/what-was-proved.md').length).to.be.at.most(60);
    expect(linesOf('ARCHITECTURE.md').length).to.be.at.most(90);
    expect(linesOf('ARCHITECTURE.md').filter((line) => line.length > 140)).to.deep.equal([]);
  });

  it('of docs are all in the index', () => {
    const index = readFileSync(path.join(root, 'docs/README.md'), 'utf8');
    const missing = pages
      .filter((page) => page.startsWith('docs/') && !page.startsWith('docs/adr/') && page !== 'docs/README.md')
      .filter((page) => !index.includes(`](${page.slice('docs/'.length)})`));
    expect(missing).to.deep.equal([]);
  });

  for (const page of pages) {
    it(`${page} links only to what exists`, () => {
      expect(brokenLinks(page, readFileSync(path.join(root, page), 'utf8'))).to.deep.equal([]);
    });

    // A changelog also names files that a later version has removed.
    if (page === 'CHANGELOG.md') continue;
    it(`${page} names only paths that exist`, () => {
      expect(missingPaths(readFileSync(path.join(root, page), 'utf8'))).to.deep.equal([]);
    });
  }

  it('a link to no file, to no heading, and a path that is none are found', () => {
    const page =
      '# A page\n\n[a](nowhere.md) [b](#nothing) [c](#a-page) [d](docs/prove/audit.md#signed-heads) `scripts/nothing.ts`\n';
    expect(brokenLinks('README.md', page)).to.deep.equal(['nowhere.md', '#nothing']);
    expect(missingPaths(page)).to.deep.equal(['scripts/nothing.ts']);
  });
});
