import { readFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '@paper/contracts';
import { expect } from 'chai';
import { filesBelow, workspaceFolders } from '../run/workspace.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const folders = workspaceFolders(root);
const sources = filesBelow(root, [...folders.map((folder) => `${folder}/src`), 'scripts', 'infra']).filter((file) =>
  /\.(ts|mjs|js|html)$/.test(file),
);

describe('the version', () => {
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };

  it('comes from package.json', () => {
    expect(version).to.match(/^\d+\.\d+\.\d+$/);
    expect(VERSION).to.equal(version);
  });

  it('stands in the package.json of no package: they would differ one day', () => {
    expect(folders.length).to.be.greaterThan(20);
    for (const folder of folders) {
      expect(JSON.parse(read(path.join(folder, 'package.json'))), folder).to.not.have.property('version');
    }
  });

  it('stands in no source file', () => {
    expect(sources.length).to.be.greaterThan(400);
    expect(sources.filter((file) => [`'${version}'`, `"${version}"`].some((text) => read(file).includes(text)))).to.be
      .empty;
  });

  it('is the tag of the images', () => {
    const tags = [...read('docker-compose.yml').matchAll(/image: paper\/[\w-]+:(\S+)$/gm)].map(([, tag]) => tag);
    expect(new Set(tags)).to.deep.equal(new Set([version]));
  });
});
