import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SmallDisk } from '@paper/testkit/servers';
import { expect } from 'chai';
import { DiskReserve } from '../src/disk-reserve.ts';

const MB = 1024 * 1024;
const RESERVE_BYTES = 32 * MB;
const DISK_BYTES = 100 * MB;

describe('the reserve of a data folder', () => {
  let folder: string;
  let disk: SmallDisk | string;

  before(function () {
    folder = mkdtempSync(join(tmpdir(), 'reserve-'));
    disk = SmallDisk.make(join(folder, 'disk'), DISK_BYTES);
    if (typeof disk === 'string') this.skip();
  });
  after(() => {
    if (disk instanceof SmallDisk) disk.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  function onDisk(): SmallDisk {
    if (typeof disk === 'string') throw new Error(disk);
    return disk;
  }
  const file = (): string => join(onDisk().folder, 'reserve');
  const ballast = (name: string): string => join(onDisk().folder, name);

  it('takes its whole size on the disk: a sparse file would take nothing', async () => {
    const reserve = new DiskReserve(onDisk().folder, RESERVE_BYTES);
    expect(reserve.check()).to.equal(false);
    await reserve.settled();
    const { blocks, size } = statSync(file());
    expect({ allocated: blocks * 512, size }).to.deep.equal({ allocated: RESERVE_BYTES, size: RESERVE_BYTES });
  });

  it('is given up on a full disk, which is full until others have freed space, and made anew at twice its size', async () => {
    const reserve = new DiskReserve(onDisk().folder, RESERVE_BYTES);
    // 8 MB are left of 100.
    writeFileSync(ballast('one'), Buffer.alloc(30 * MB));
    writeFileSync(ballast('other'), Buffer.alloc(30 * MB));
    expect(reserve.check()).to.equal(true);
    expect(existsSync(file())).to.equal(false);
    // 40 MB are free, and 32 of them were the reserve's.
    expect(reserve.check()).to.equal(true);
    writeFileSync(ballast('one'), Buffer.alloc(20 * MB));
    // 50 MB: enough to go on, and less than twice the size of the reserve.
    expect(reserve.check()).to.equal(false);
    await reserve.settled();
    expect(existsSync(file())).to.equal(false);
    rmSync(ballast('one'));
    expect(reserve.check()).to.equal(false);
    await reserve.settled();
    expect(statSync(file()).size).to.equal(RESERVE_BYTES);
    rmSync(ballast('other'));
  });

  it('is removed where the setting is 0, and there is none then', async () => {
    const reserve = new DiskReserve(onDisk().folder, 0);
    expect(existsSync(file())).to.equal(false);
    expect(reserve.check()).to.equal(false);
    await reserve.settled();
    expect(existsSync(file())).to.equal(false);
    onDisk().fill();
    expect(reserve.check()).to.equal(true);
    onDisk().free();
    expect(reserve.check()).to.equal(false);
  });
});
