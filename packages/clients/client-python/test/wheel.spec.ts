import { readFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '@paper/contracts';
import { pythonWheel } from '@paper/client-python';
import { expect } from 'chai';
import { strFromU8, unzipSync } from 'fflate';

const sources = path.resolve(import.meta.dirname, '../src/papertrading');

describe('the wheel that services serve', () => {
  const { fileName, bytes } = pythonWheel();
  const files = unzipSync(bytes);
  const info = `papertrading-${VERSION}.dist-info`;
  const read = (name: string): string => strFromU8(files[name] ?? expect.fail(`the wheel has no ${name}`));

  it('has the name that pip reads the version from, which is that of the service', () => {
    expect(fileName).to.equal(`papertrading-${VERSION}-py3-none-any.whl`);
    expect(readFileSync(path.join(sources, '_version.py'), 'utf8')).to.include(`VERSION = "${VERSION}"`);
    expect(read(`${info}/METADATA`)).to.include(`\nVersion: ${VERSION}\n`);
  });

  it('says what it is, under which license, where it comes from and what it runs on', () => {
    const metadata = read(`${info}/METADATA`);
    const project = readFileSync(path.resolve(sources, '../../pyproject.toml'), 'utf8');
    const classifiers = metadata.match(/^Classifier: .*$/gm)?.map((line) => line.slice('Classifier: '.length)) ?? [];
    const declared = /^classifiers = \[([^\]]*)\]/m.exec(project)?.[1] ?? '';
    expect(classifiers).to.deep.equal(Array.from(declared.matchAll(/"([^"]+)"/g), ([, name]) => name));
    const urls = Array.from(metadata.matchAll(/^Project-URL: (\w+), (.*)$/gm), ([, name, url]) => `${name} = "${url}"`);
    expect(urls).to.have.length(3);
    for (const url of urls) expect(project).to.include(url);
    expect(metadata)
      .to.match(/^Summary: ./m)
      .and.to.include('License: MIT');
    expect(read(`${info}/LICENSE`)).to.include('MIT License');
    expect(metadata).to.include(readFileSync(path.resolve(sources, '../../README.md'), 'utf8'));
  });

  it('has the modules and nothing that Python left beside them', () => {
    expect(read('papertrading/__init__.py')).to.equal(readFileSync(path.join(sources, '__init__.py'), 'utf8'));
    expect(Object.keys(files)).to.include.members(['papertrading/client.py', 'papertrading/py.typed']);
    expect(
      Object.keys(files).filter((name) => !/^papertrading\/[\w.]+$|dist-info\/\w+(\.txt)?$/.test(name)),
    ).to.deep.equal([]);
  });

  it('lists every file with its digest', () => {
    const listed = read(`${info}/RECORD`)
      .trimEnd()
      .split('\n')
      .map((line) => line.split(',')[0]);
    expect(listed.sort()).to.deep.equal(Object.keys(files).sort());
  });

  it('has the same bytes whenever it is made, so that caches hold', () => {
    expect(pythonWheel().bytes.equals(bytes)).to.equal(true);
  });
});
