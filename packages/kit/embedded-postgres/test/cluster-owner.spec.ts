import { chownSync, linkSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { repairOwner } from '../src/cluster-owner.ts';

const SERVER = { uid: 65_534, gid: 65_534 };
const account = { ids: SERVER, pathOf: (folder: string) => folder, own: () => undefined };

describe('the owner of a cluster that root has copied', () => {
  let folder: string;
  const cluster = (...names: readonly string[]): string => join(folder, 'data/postgres', ...names);
  const ownerOf = (path: string): number => lstatSync(path).uid;

  beforeEach(function () {
    if (process.getuid?.() !== 0) this.skip();
    folder = mkdtempSync(join(tmpdir(), 'cluster-owner-'));
    mkdirSync(cluster('base/5'), { recursive: true });
    mkdirSync(cluster('pg_tblspc'));
    mkdirSync(join(folder, 'elsewhere'));
    for (const file of ['data/keys.json', 'elsewhere/file']) writeFileSync(join(folder, file), '');
    for (const file of ['PG_VERSION', 'base/5/1259']) writeFileSync(cluster(file), '18\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('becomes the user of the server, in every folder of it', () => {
    repairOwner(cluster(), account);
    for (const path of ['', 'PG_VERSION', 'base', 'base/5', 'base/5/1259', 'pg_tblspc']) {
      expect(ownerOf(cluster(path)), path).to.equal(SERVER.uid);
    }
    for (const path of ['data', 'data/keys.json']) expect(ownerOf(join(folder, path)), path).to.equal(0);
  });

  it('stays what it was behind links, which are not followed, and of files with a second name', () => {
    symlinkSync(join(folder, 'elsewhere'), cluster('pg_tblspc/16384'));
    symlinkSync(join(folder, 'elsewhere/file'), cluster('base/5/2000'));
    linkSync(join(folder, 'data/keys.json'), cluster('base/5/3000'));
    repairOwner(cluster(), account);
    for (const link of ['pg_tblspc/16384', 'base/5/2000']) expect(ownerOf(cluster(link)), link).to.equal(SERVER.uid);
    for (const path of ['elsewhere', 'elsewhere/file', 'data/keys.json']) {
      expect(ownerOf(join(folder, path)), path).to.equal(0);
    }
  });

  it('stays what it was where the folder holds no cluster, or is a link', () => {
    rmSync(cluster('PG_VERSION'));
    repairOwner(cluster(), account);
    expect(ownerOf(cluster('base'))).to.equal(0);

    writeFileSync(join(folder, 'elsewhere/PG_VERSION'), '18\n');
    rmSync(cluster(), { recursive: true });
    symlinkSync(join(folder, 'elsewhere'), cluster());
    repairOwner(cluster(), account);
    expect(ownerOf(join(folder, 'elsewhere/file'))).to.equal(0);
  });

  it('is changed of nothing that is the server’s already', () => {
    chownSync(cluster('PG_VERSION'), SERVER.uid, 0);
    repairOwner(cluster(), account);
    expect(lstatSync(cluster('PG_VERSION')).gid).to.equal(0);
  });
});
