import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '@paper/contracts';
import { expect } from 'chai';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Every file of these folders that is ours. */
const files = ['packages', 'services', 'scripts', 'infra'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => !file.includes('node_modules')),
);

describe('the version', () => {
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };

  it('comes from package.json', () => {
    expect(version).to.match(/^\d+\.\d+\.\d+$/);
    expect(VERSION).to.equal(version);
  });

  it('stands in the package.json of no package: they would differ one day', () => {
    const manifests = files.filter((file) => path.basename(file) === 'package.json');
    expect(manifests.length).to.be.greaterThan(20);
    for (const file of manifests) expect(JSON.parse(read(file)), file).to.not.have.property('version');
  });

  it('stands in no source file', () => {
    const sources = files.filter((file) => /^(scripts|infra|[^/]+\/[^/]+\/src)\/.*\.(ts|mjs|js|html)$/.test(file));
    expect(sources.length).to.be.greaterThan(400);
    expect(sources.filter((file) => [`'${version}'`, `"${version}"`].some((text) => read(file).includes(text)))).to.be
      .empty;
  });

  it('is the tag of the images', () => {
    const tags = [...read('docker-compose.yml').matchAll(/image: paper\/[\w-]+:(\S+)$/gm)].map(([, tag]) => tag);
    expect(new Set(tags)).to.deep.equal(new Set([version]));
  });
});
