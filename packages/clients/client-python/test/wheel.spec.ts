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
