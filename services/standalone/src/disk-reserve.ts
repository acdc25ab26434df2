import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freeBytes, isFull } from '@paper/embedded-postgres';

const BLOCK_BYTES = 1024 * 1024;

/**
 * A file that reserves space on the data folder's disk. It is deleted at the first sign of a full disk, so that work in
 * progress can end, and is made again once twice its size is free.
 */
export class DiskReserve {
  readonly #file: string;
  readonly #draft: string;
  #givenUpBytes = 0;
  #making: Promise<void> | null = null;

  /** `bytes`: the size of the file; 0: no reserve. */
  constructor(
    private readonly dataDir: string,
    private readonly bytes: number,
  ) {
    this.#file = join(dataDir, 'reserve');
    this.#draft = `${this.#file}.new`;
    // Removes a file of another size, from an earlier setting or from a start that was killed.
    if (statSync(this.#file, { throwIfNoEntry: false })?.size !== bytes) rmSync(this.#file, { force: true });
    rmSync(this.#draft, { force: true });
  }

  /** Deletes the file, or begins to make it, depending on the free space. Returns whether the disk is full. */
  check(): boolean {
    // While the file is being written, its bytes would count twice.
    if (this.#making !== null) return false;
    const full = isFull(this.dataDir, this.#givenUpBytes);
    if (full) {
      this.giveUp();
    } else if (this.bytes > 0 && !existsSync(this.#file) && freeBytes(this.dataDir) >= 2 * this.bytes) {
      this.#making = this.#make().finally(() => (this.#making = null));
    }
    return full;
  }

  /** Removes the file. Its space does not count as free until the file is made again. */
  giveUp(): void {
    if (!existsSync(this.#file)) return;
    rmSync(this.#file);
    this.#givenUpBytes = this.bytes;
  }

  /** Resolves when no file is being written. */
  async settled(): Promise<void> {
    await this.#making;
  }

  /** Writes the whole file, with bytes that no file system compresses: a sparse file would take no space. */
  async #make(): Promise<void> {
    const block = randomBytes(BLOCK_BYTES);
    try {
      const file = await open(this.#draft, 'w', 0o600);
      try {
        for (let written = 0; written < this.bytes; written += BLOCK_BYTES) await file.write(block);
      } finally {
        await file.close();
      }
      await rename(this.#draft, this.#file);
      this.#givenUpBytes = 0;
    } catch {
      // The disk has filled meanwhile; the next check tries again.
      await rm(this.#draft, { force: true });
    }
  }
}
