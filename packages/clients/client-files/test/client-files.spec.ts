import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { parseTar } from 'nanotar';
import { pythonWheel } from '@paper/client-python';
import { VERSION } from '@paper/contracts';
import type * as Client from 'paper-trading-client';
import { clientFiles } from '../src/index.ts';

describe('the npm package of the client', function () {
  this.timeout(20_000);
  let files: ReadonlyMap<string, string>;

  before(async () => {
    const file = clientFiles().find(({ name }) => name === 'paper-trading-client.tgz');
    const bytes = await file?.read();
    expect(await file?.read(), 'built once').to.equal(bytes);
    const entries = parseTar(gunzipSync(bytes ?? Buffer.alloc(0)));
    files = new Map(entries.map((entry) => [entry.name, entry.text]));
  });

  const textOf = (name: string): string => files.get(`package/${name}`) ?? '';

  it('names no dependency, and the version of the service', () => {
    const manifest = JSON.parse(textOf('package.json')) as Record<string, unknown>;
    expect(manifest).to.include({ name: 'paper-trading-client', version: VERSION, type: 'module' });
    expect(Object.keys(manifest).filter((key) => key.toLowerCase().includes('dependencies'))).to.deep.equal([]);
    expect(textOf('README.md')).to.include('createClient');
    expect(textOf('LICENSE')).to.include('MIT');
    expect(textOf('dist/eventsource-parser.LICENSE')).to.include('MIT');
  });

  it('names where it comes from, and has its changelog and a source map with its sources', () => {
    const manifest = JSON.parse(textOf('package.json')) as Record<string, unknown>;
    expect(manifest['homepage']).to.match(/^https:\/\//);
    expect(manifest['repository']).to.include({ type: 'git', directory: 'packages/clients/client' });
    expect(textOf('CHANGELOG.md')).to.include(`## ${VERSION}`);
    expect(textOf('dist/index.js')).to.match(/\/\/# sourceMappingURL=index\.js\.map\n$/);
    const map = JSON.parse(textOf('dist/index.js.map')) as { sources: string[]; sourcesContent: string[] };
    const client = map.sources.findIndex((source) => source.endsWith('/src/client.ts'));
    expect(map.sourcesContent[client]).to.include('class PaperTradingClient');
  });

  it('its code imports nothing, and can be loaded', async () => {
    const code = textOf('dist/index.js');
    expect(code).to.not.match(/^\s*import\b|\brequire\(/m);
    // A data URL has no file beside it that a source map could be.
    const alone = code.replace(/^\/\/# sourceMappingURL=.*$/m, '');
    const url = `data:text/javascript;base64,${Buffer.from(alone).toString('base64')}`;
    const loaded = (await import(url)) as typeof Client;
    expect(loaded.createClient({ baseUrl: 'http://127.0.0.1:1' })).to.be.instanceOf(loaded.PaperTradingClient);
  });

  it('its types name only each other', () => {
    const types = [...files].filter(([name]) => name.endsWith('.d.ts'));
    expect(types.length).to.be.at.least(8);
    for (const [name, text] of types) {
      const imported = Array.from(text.matchAll(/from\s*["']([^"']+)["']/g), ([, from]) => from ?? '');
      for (const from of imported) {
        expect(from, name).to.match(/^\.\.?\/.*\.js$/);
        const folder = name.slice(0, name.lastIndexOf('/') + 1);
        const target = new URL(from, `file:///${folder}`).pathname.slice(1).replace(/\.js$/, '.d.ts');
        expect([...files.keys()], `${name} imports ${from}`).to.include(target);
      }
    }
  });
});

describe('the wheel of the Python client', () => {
  it('is beside it, under the name that pip reads the version from', async () => {
    const wheel = clientFiles().find(({ name }) => name.endsWith('.whl'));
    const { bytes, fileName } = pythonWheel();
    expect(wheel?.name).to.equal(fileName);
    expect((await wheel?.read())?.equals(bytes)).to.equal(true);
  });
});
