import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@paper/testkit';
import type { Random } from '@paper/testkit';
import type { SmallDisk } from '@paper/testkit/servers';
import { diskFor, move } from './data-folder.ts';
import { recover } from './chaos-run.ts';
import type { ChaosRun } from './chaos-run.ts';

/** The free space for what Postgres writes until the disk is full again. */
const ROOM_BYTES = 256 * 1024 * 1024;
const FELT_WITHIN_MS = 60_000;
const UNANSWERED_MS = 1_000;

/**
 * Moves the data folder onto a small disk, and repeatedly fills that until no client is served, kills the process one
 * time in two, and frees space: then the service must recover. Returns the reason if it cannot be done.
 */
export async function playDiskFull(run: ChaosRun, times: number): Promise<string | null> {
  const { log, standalone } = run;
  const random = run.randomOf('disk');
  const home = standalone.dataDir;
  const disk = diskFor(home, 'small-disk', ROOM_BYTES);
  if (typeof disk === 'string') return disk;
  const data = path.join(disk.folder, 'data');
  try {
    await standalone.stop();
    move(home, data);
    await standalone.start({ dataDir: data });
    for (let time = 1; time <= times; time += 1) {
      log(`disk full, ${time} of ${times}`);
      await fillOnce(run, disk, random);
    }
    await standalone.stop();
  } finally {
    await standalone.discard();
    disk.free();
    if (!existsSync(home)) move(data, home);
    disk.remove();
  }
  await standalone.start({ dataDir: home });
  return null;
}

async function fillOnce(run: ChaosRun, disk: SmallDisk, random: Random): Promise<void> {
  const { standalone } = run;
  await wait(random.int(0, 1_000));
  standalone.excused = 'the disk is full';
  disk.fill();
  await untilNoneIsServed(run, disk);
  const killed = random.chance(0.5);
  if (killed) standalone.kill('the process', random, true);
  await wait(random.int(0, 3_000));
  disk.free();
  const roomMs = performance.now();
  await recover(run, `disk full${killed ? ', and kill −9 of the process' : ''}`, roomMs);
  standalone.excused = null;
}

/** Keeps the disk full until no command of any client has been acknowledged for a second. */
export async function untilNoneIsServed({ load }: ChaosRun, disk: SmallDisk): Promise<void> {
  const isQuiet = (): boolean => {
    disk.fill();
    return load.quietMs() >= UNANSWERED_MS;
  };
  await eventually('the disk is full, and no command is acknowledged', isQuiet, { withinMs: FELT_WITHIN_MS });
}
