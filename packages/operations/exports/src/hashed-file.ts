import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';

/** A new file, whose bytes are counted and hashed as they are written. */
export class HashedFile {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
  ) {}

  static async create(folder: string, file: string): Promise<HashedFile> {
    return new HashedFile(file, await open(path.join(folder, file), 'wx'));
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.handle.writeFile(bytes);
  }

  /** Resolves when the file is on the disk. */
  async finish() {
    await this.handle.sync();
    await this.handle.close();
    return { file: this.file, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  async abandon(): Promise<void> {
    await this.handle.close().catch(() => undefined);
  }
}
