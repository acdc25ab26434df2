import { execFileSync, fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import type { DiskMessage, DiskReport } from './disk-process.ts';
import type { Survivors } from './volatile-file.ts';

/** A file system that loses unflushed writes with its power. It needs root, `/dev/fuse` and loop devices. */
export class VolatileDisk {
  #process: ChildProcess | null = null;
  #device: string | null = null;

  /** The files of the disk are in the folder, the mount point in its subfolder `mount`. */
  constructor(private readonly folder: string) {}

  get mount(): string {
    return path.join(this.folder, 'mount');
  }

  /** Creates the empty disk and mounts it. @throws Error when the machine does not permit it */
  async make(bytes: number): Promise<void> {
    for (const name of ['fuse', 'mount']) mkdirSync(path.join(this.folder, name), { recursive: true });
    const content = openSync(this.#content, 'w');
    ftruncateSync(content, bytes - (bytes % 4_096));
    closeSync(content);
    await this.#plugIn();
    run('mkfs.ext4', '-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0,nodiscard', this.#device ?? '');
    this.#mountAll();
    run('sync', '-f', this.mount);
  }

  /**
   * Cuts the power: no request is answered, `killAll` ends the processes on the disk, and only `survivors` of the
   * unflushed writes remain. Returns the number of unflushed blocks of 4 KiB.
   */
  async losePower(survivors: Survivors, seed: number, killAll: () => void): Promise<number> {
    const disk = this.#process;
    if (disk === null) throw new Error('it has no power');
    await ask(disk, 'freeze');
    killAll();
    const reported = await ask(disk, { lose: survivors, seed });
    await ended(disk);
    this.#process = null;
    return typeof reported === 'object' ? reported.unflushed : 0;
  }

  /** Makes the disk acknowledge flushes without doing them from now on, to test the judge. */
  lie(): void {
    this.#process?.send('lie' satisfies DiskMessage);
  }

  /** Restarts the disk after a loss of power. No process may be using the disk. */
  async restorePower(): Promise<void> {
    this.takeDown();
    await this.#plugIn();
    this.#mountAll();
  }

  async remove(): Promise<void> {
    this.takeDown();
    if (this.#process !== null) await ended(this.#process);
    this.#process = null;
  }

  get #content(): string {
    return path.join(this.folder, 'content');
  }

  async #plugIn(): Promise<void> {
    const program = path.join(import.meta.dirname, 'disk-process.ts');
    const fuse = path.join(this.folder, 'fuse');
    const disk = fork(program, [this.#content, fuse], { execArgv: ['--import', 'tsx'] });
    this.#process = disk;
    const [first] = (await Promise.race([once(disk, 'message'), once(disk, 'exit')])) as [DiskReport | number];
    if (first !== 'mounted') throw new Error(`the disk's process ended with ${JSON.stringify(first)}`);
    this.#device = run('losetup', '--find', '--show', path.join(fuse, 'disk')).trim();
  }

  #mountAll(): void {
    run('mount', '-t', 'ext4', '-o', 'barrier=1,data=ordered', this.#device ?? '', this.mount);
  }

  /** Unmounts the mounted parts; after a loss of power some steps fail. */
  takeDown(): void {
    attempt('umount', '--lazy', this.mount);
    if (this.#device !== null) attempt('losetup', '--detach', this.#device);
    this.#device = null;
    attempt('umount', '--lazy', path.join(this.folder, 'fuse'));
  }
}

/** The reason why this machine cannot make such a disk; null if it can. */
export async function whyNoVolatileDisk(folder: string): Promise<string | null> {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'only root can mount it';
  for (const device of ['/dev/fuse', '/dev/loop-control']) if (!existsSync(device)) return `there is no ${device}`;
  const disk = new VolatileDisk(path.join(folder, 'trial-disk'));
  try {
    await disk.make(32 * 1024 * 1024);
    return null;
  } catch (error) {
    return `it cannot be made (${error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)})`;
  } finally {
    await disk.remove();
  }
}

async function ask(disk: ChildProcess, message: DiskMessage): Promise<DiskReport> {
  disk.send(message);
  const [report] = (await once(disk, 'message')) as [DiskReport];
  return report;
}

async function ended(disk: ChildProcess): Promise<void> {
  if (disk.exitCode === null && disk.signalCode === null) await once(disk, 'exit');
}

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function attempt(command: string, ...args: readonly string[]): void {
  try {
    run(command, ...args);
  } catch {
    // The disk was not mounted, or has lost its power.
  }
}
