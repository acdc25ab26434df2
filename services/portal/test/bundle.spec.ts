import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { bundleFiles, loadBundle } from '../src/pages/bundle.ts';
import { describePage } from '../src/pages/page-description.ts';
import { findPage, PAGE_NAMES, PAGES } from '../src/pages/paths.ts';
import { shellBody, shellHead } from '../src/pages/shell.ts';
import { LIVELY_ID, livelyMarket } from './support/lively-market.ts';

const FIRST_LOAD_BYTES_MAX = 60 * 1024;
const portal = path.resolve(import.meta.dirname, '..');

describe('the bundle of the browser code', function () {
  this.timeout(60_000);

  it('is the same, byte for byte, as an image has it and as the service makes it in memory', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'bundle-'));
    try {
      // A process of its own, as the build of an image runs it.
      execFileSync(process.execPath, ['--import', 'tsx', 'src/pages/write-bundle.ts', folder], { cwd: portal });
      const written = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name));
      const inMemory = await bundleFiles();
      expect(written.map((file) => path.relative(folder, file)).sort()).to.deep.equal(
        inMemory.map(({ name }) => name).sort(),
      );
      for (const { name, bytes } of inMemory) {
        expect(readFileSync(path.join(folder, name)).equals(bytes), name).to.equal(true);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('loads at most 60 KB gzipped for any page: its HTML with styles and data, scripts and icon', async () => {
    const { assets, firstPaint, ...manifest } = await loadBundle();
    const sizeOf = (address: string): number => gzipSync(assets.get(address)!.bytes, { level: 9 }).length;
    for (const name of PAGE_NAMES) {
      const path = PAGES[name].path.replaceAll(/:\w+/g, LIVELY_ID);
      const reads = name === 'market' ? livelyMarket() : {};
      const markup = firstPaint.renderPage(path, '', reads);
      const description = describePage(findPage(path), undefined);
      const head = shellHead({ assets, ...manifest }, name, { ...description, publicUrl: 'https://paper.example' });
      const text = head + shellBody(manifest, { markup, reads });
      const html = gzipSync(text, { level: 4 }).length;
      const files = [manifest.script, manifest.icon, ...manifest.modules[name]];
      const bytes = files.reduce((sum, file) => sum + sizeOf(file), html);
      const listed = files.map((file) => `${file} ${sizeOf(file)}`).join(', ');
      expect(bytes, `${path}: HTML ${html}, ${listed}`).to.be.at.most(FIRST_LOAD_BYTES_MAX);
      // Each request costs a slow processor some milliseconds.
      if (name === 'market' || name === 'markets') expect(files, listed).to.have.length.at.most(7);
    }
  });

  it('has nothing of the API client in the files of a market but what reads an answer', async () => {
    const { assets, modules, script } = await loadBundle();
    const loaded = [script, ...modules.market].map((address) => assets.get(address)?.bytes.toString() ?? '').join('');
    expect(loaded).to.include('x-journal-seq').and.not.to.include('/api/dead-man-switch');
  });

  it('renders every page on the server, for a person who is not known', async () => {
    const { firstPaint } = await loadBundle();
    for (const name of PAGE_NAMES) {
      const markup = firstPaint.renderPage(PAGES[name].path.replaceAll(/:\w+/g, 'an-id'), '', {});
      expect(markup.match(/<h1[ >]/g), name).to.have.length(1);
      // The content security policy refuses them.
      expect(markup, name).not.to.match(/ (style|on\w+)=/);
    }
  });

  it('says on pages to sign up and in that they wait for the session', async () => {
    const { firstPaint } = await loadBundle();
    for (const path of ['/sign-up', '/sign-in']) expect(firstPaint.renderPage(path, '', {})).to.include('Loading …');
  });

  it('keeps the place of the rows of a list that did not come with its page', async () => {
    const { firstPaint } = await loadBundle();
    expect(firstPaint.renderPage('/', '', {})).to.include('class="list-place"');
    const reads = Object.fromEntries(
      (PAGES.markets.firstReads?.({}, '') ?? []).map((read) => [read, { body: [], seq: 1, next: null }]),
    );
    expect(firstPaint.renderPage('/', '', reads)).not.to.include('class="list-place"');
  });

  it('has esbuild once: in the version of tsx', () => {
    const lockfile = readFileSync(path.join(portal, '../../pnpm-lock.yaml'), 'utf8');
    expect(new Set(lockfile.match(/^ {2}esbuild@[^:]*/gm))).to.have.property('size', 1);
  });
});
