import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '@paper/testkit';
import { fillDisk } from './fill-disk.ts';
import { GivenUp } from './findings.ts';
import { move } from './move.ts';
import { recover } from './world.ts';
import type { World } from './world.ts';

/** Free space for what Postgres writes until the disk is full again. */
const ROOM_BYTES = 256 * 1024 * 1024;
const FELT_WITHIN_MS = 60_000;
const UNANSWERED_MS = 1_000;

/** The reason why no small file system can be made here; null where it can. */
export function whyNoSmallDisk(folder: string): string | null {
  if (process.getuid?.() !== 0) return 'only root can mount a small file system';
  const at = path.join(folder, 'trial');
  mkdirSync(at, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at], { stdio: 'pipe' });
    execFileSync('umount', [at]);
    return null;
  } catch (error) {
    return `no small file system can be mounted (${error instanceof Error ? error.message.split('\n', 1)[0] : ''})`;
  } finally {
    rmSync(at, { recursive: true });
  }
}

/**
 * Moves the data folder onto a small file system and repeats: fill it until no client is served, kill the process one
 * time in two, and free space. Then the service must recover by itself. At the end the folder is back instead, whatever
 * happened.
 */
export async function playDiskFull(
  world: World,
  times: number,
  random: Random,
  log: (line: string) => void,
): Promise<void> {
  const { standalone } = world;
  const home = standalone.dataDir;
  const disk = path.join(path.dirname(home), 'small-disk');
  const data = path.join(disk, 'data');
  await standalone.stop();
  mkdirSync(disk);
  const bytes = Number(execFileSync('du', ['-sb', home], { encoding: 'utf8' }).split('\t', 1)[0]) + ROOM_BYTES;
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=755`, 'tmpfs', disk]);
  // Ctrl-C must not leave a mount.
  const unmount = (): void => void execFileSync('umount', ['--lazy', disk]);
  process.once('exit', unmount);
  try {
    move(home, data);
    await standalone.start({ dataDir: data });
    for (let time = 1; time <= times; time += 1) {
      log(`disk full, ${time} of ${times}`);
      await fillOnce(world, path.join(disk, 'ballast'), random);
    }
    await standalone.stop();
  } finally {
    await standalone.discard();
    rmSync(path.join(disk, 'ballast'), { force: true });
    if (!existsSync(home)) move(data, home);
    process.off('exit', unmount);
    unmount();
    rmSync(disk, { recursive: true, force: true });
  }
  await standalone.start({ dataDir: home });
}

async function fillOnce(world: World, ballast: string, random: Random): Promise<void> {
  const { standalone } = world;
  await wait(random.int(0, 1_000));
  standalone.excused = 'the disk is full';
  fillDisk(ballast);
  await untilNoneIsServed(world, ballast);
  const killed = random.chance(0.5);
  if (killed) standalone.kill('the process', random, true);
  await wait(random.int(0, 3_000));
  rmSync(ballast);
  const roomMs = performance.now();
  await recover(world, `disk full${killed ? ', and kill −9 of the process' : ''}`, roomMs);
  standalone.excused = null;
}

async function untilNoneIsServed({ findings, load }: World, ballast: string): Promise<void> {
  const startedMs = performance.now();
  while (load.quietMs() < UNANSWERED_MS) {
    if (performance.now() - startedMs > FELT_WITHIN_MS) {
      findings.failed('the disk is full, and commands are acknowledged all the same');
      throw new GivenUp('the disk is full');
    }
    fillDisk(ballast);
    await wait(50);
  }
}
