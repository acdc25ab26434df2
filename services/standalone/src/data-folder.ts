import { mkdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { DiskFull, isFull } from '@paper/embedded-postgres';
import { lockFolder, printError } from '@paper/runtime';
import type { Teardown } from '@paper/runtime';
import type { StandaloneConfig } from './config.ts';
import { DiskReserve } from './disk-reserve.ts';
import { forgetService } from './service-file.ts';
import { checkStart } from './start-checks.ts';
import { showStep } from './start-steps.ts';
import type { StorageHealth } from './storage-health.ts';

const LOOK_MS = 1_000;
const SAY_EVERY_MS = 60_000;
const MB = 1024 * 1024;

/** Makes and locks the folder, and waits for a database's space. Throws StartRefused, with nothing changed on disk. */
export async function lockDataFolder(config: StandaloneConfig, teardown: Teardown): Promise<void> {
  await checkStart(config);
  const { DATA_DIR: dataDir, DATABASE_URL } = config;
  let saidMs = -Infinity;
  for (;;) {
    const unlock = lockIn(dataDir, DATABASE_URL === undefined);
    if (unlock !== null) {
      await teardown.add('lock', unlock);
      forgetService(dataDir);
      return;
    }
    if (performance.now() - saidMs >= SAY_EVERY_MS) {
      saidMs = performance.now();
      printError(new DiskFull());
      showStep('Waiting for space on the disk of DATA_DIR');
    }
    await setTimeout(LOOK_MS);
    if (teardown.begun()) throw new Error('it was stopped before there was space');
  }
}

/** Locks the folder; null if there is no space, either for the lock or for the database. */
function lockIn(dataDir: string, needsSpace: boolean): (() => void) | null {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return needsSpace && isFull(dataDir) ? null : lockFolder(dataDir, 'standalone.lock');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return null;
    throw error;
  }
}

/** Watches the disk of an embedded database. When it is full, frees the reserved space and reports the problem. */
export async function watchDisk(
  { DATA_DIR: dataDir, RESERVE_MB: reserveMb }: Pick<StandaloneConfig, 'DATA_DIR' | 'RESERVE_MB'>,
  storage: StorageHealth,
  teardown: Teardown,
): Promise<void> {
  const reserve = new DiskReserve(dataDir, reserveMb * MB);
  const full = new DiskFull().message;
  const look = (): void => {
    // Postgres may find the disk full before this check does.
    if (storage.problem?.what === full) reserve.giveUp();
    storage.report('disk', reserve.check() ? full : null);
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  await teardown.add('disk', () => {
    clearInterval(timer);
    return reserve.settled();
  });
}
