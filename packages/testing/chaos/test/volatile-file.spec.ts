import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRandom } from '@paper/testkit';
import { expect } from 'chai';
import { VolatileFile } from '../src/power/volatile-file.ts';

const BYTES = 64 * 1024;

describe('the disk whose power can go', () => {
  let folder: string;
  let file: string;
  let disk: VolatileFile;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'paper-volatile-'));
    file = path.join(folder, 'content');
    writeFileSync(file, Buffer.alloc(BYTES, 'a'));
    disk = new VolatileFile(file);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('reads what was written last, flushed or not, at any place', () => {
    const random = createRandom(11);
    const expected = Buffer.alloc(BYTES, 'a');
    for (let n = 0; n < 400; n += 1) {
      const data = Buffer.alloc(random.int(1, 9_000), random.hex(1));
      const offset = random.int(0, BYTES - data.length);
      disk.write(offset, data);
      data.copy(expected, offset);
      if (random.chance(0.1)) disk.flush();
      const [from, size] = [random.int(0, BYTES - 5_000), random.int(1, 5_000)];
      expect(disk.read(from, size).equals(expected.subarray(from, from + size))).to.equal(true);
    }
  });

  it('keeps what was flushed, and forgets what was only written', () => {
    disk.write(5_000, Buffer.alloc(3_000, 'b'));
    disk.flush();
    disk.write(4_000, Buffer.alloc(9_000, 'c'));
    expect(disk.unflushed).to.equal(4);
    disk.losePower('none', createRandom(1));
    const expected = Buffer.alloc(BYTES, 'a').fill('b', 5_000, 8_000);
    expect(readFileSync(file).equals(expected)).to.equal(true);
  });

  it('may have written some sectors already, each whole or not at all', () => {
    disk.write(0, Buffer.alloc(BYTES, 'b'));
    disk.losePower('some sectors', createRandom(1));
    const left = readFileSync(file);
    const sectors = Array.from({ length: BYTES / 512 }, (_, n) => left.subarray(512 * n, 512 * (n + 1)).toString());
    expect(new Set(sectors)).to.have.all.keys('a'.repeat(512), 'b'.repeat(512));
  });
});
