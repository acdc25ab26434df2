import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { Random } from '@paper/testkit';

/** Bytes: unflushed writes are lost by block, and half-written blocks by sector. */
const BLOCK = 4_096;
const SECTOR = 512;

export type Survivors = 'none' | 'some sectors';

/** The content of a disk. Flushed blocks are in a file, and all others in memory, as in a disk's volatile cache. */
export class VolatileFile {
  readonly #file: number;
  /** The newest content of each block that was written and not flushed. */
  readonly #unflushed = new Map<number, Buffer>();

  constructor(path: string) {
    this.#file = openSync(path, 'r+');
  }

  /** The number of blocks that a loss of power would lose now. */
  get unflushed(): number {
    return this.#unflushed.size;
  }

  read(offset: number, size: number): Buffer {
    const bytes = Buffer.alloc(size);
    this.#readFlushed(bytes, offset);
    if (this.#unflushed.size === 0) return bytes;
    for (let block = Math.floor(offset / BLOCK); block * BLOCK < offset + size; block += 1) {
      const newer = this.#unflushed.get(block);
      if (newer === undefined) continue;
      const begin = Math.max(offset, block * BLOCK);
      const end = Math.min(offset + size, (block + 1) * BLOCK);
      newer.copy(bytes, begin - offset, begin - block * BLOCK, end - block * BLOCK);
    }
    return bytes;
  }

  write(offset: number, data: Buffer): void {
    for (let done = 0; done < data.length;) {
      const block = Math.floor((offset + done) / BLOCK);
      const within = offset + done - block * BLOCK;
      const count = Math.min(BLOCK - within, data.length - done);
      let newer = this.#unflushed.get(block);
      if (newer === undefined) {
        newer = Buffer.alloc(BLOCK);
        if (count < BLOCK) this.#readFlushed(newer, block * BLOCK);
        this.#unflushed.set(block, newer);
      }
      data.copy(newer, within, done, done + count);
      done += count;
    }
  }

  flush(): void {
    for (const [block, newer] of this.#unflushed) writeSync(this.#file, newer, 0, BLOCK, block * BLOCK);
    this.#unflushed.clear();
  }

  /** Drops unflushed writes; `some sectors` keeps about half, as a real disk may have written some already. */
  losePower(survivors: Survivors, random: Random): void {
    if (survivors === 'some sectors') {
      for (const [block, newer] of this.#unflushed) {
        for (let at = 0; at < BLOCK; at += SECTOR) {
          if (random.chance(0.5)) writeSync(this.#file, newer, at, SECTOR, block * BLOCK + at);
        }
      }
    }
    this.#unflushed.clear();
    closeSync(this.#file);
  }

  /** Reads beyond the end of the file return zeros. */
  #readFlushed(bytes: Buffer, offset: number): void {
    for (let done = 0; done < bytes.length;) {
      const count = readSync(this.#file, bytes, done, bytes.length - done, offset + done);
      if (count === 0) return;
      done += count;
    }
  }
}
