import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { exhaustLog } from '@paper/testkit/servers';
import type { SmallDisk } from '@paper/testkit/servers';
import { diskFor, move } from './data-folder.ts';
import { untilNoneIsServed } from './disk-full.ts';
import { connectionStringOf, recover } from './chaos-run.ts';
import type { ChaosRun } from './chaos-run.ts';

/** The free space of the disk beside the data folder. */
const ROOM_BYTES = 512 * 1024 * 1024;
/** The time within which the service continues by itself, after space is freed or after the kill. */
const GOES_ON_WITHIN_MS = 10_000;

/**
 * Puts the tables and the write-ahead log on a small disk each, and repeatedly fills one, then the other, and kills the
 * database. The process must never end, and must serve every client again. Returns the reason if it cannot be done.
 */
export async function playDisks(run: ChaosRun, times: number): Promise<string | null> {
  const { log, standalone } = run;
  const random = run.randomOf('disks');
  const home = standalone.dataDir;
  const parent = path.dirname(home);
  const tables = diskFor(home, 'disk-of-tables', ROOM_BYTES);
  if (typeof tables === 'string') return tables;
  const segments = diskFor(home, 'disk-of-log', ROOM_BYTES);
  if (typeof segments === 'string') {
    tables.remove();
    return segments;
  }
  const data = path.join(tables.folder, 'data');
  const [linked, moved] = [path.join(data, 'postgres', 'pg_wal'), path.join(segments.folder, 'pg_wal')];
  const faults = {
    'the disk of the tables is full': () => fill(run, tables),
    'the disk of the log is full': () => fill(run, segments, () => exhaustLog(connectionStringOf(data))),
    'kill −9 of its Postgres': () => void standalone.kill('its Postgres', random, true),
  };
  try {
    await standalone.stop();
    move(home, data);
    // The server's user must reach the log by its path.
    chmodSync(parent, 0o711);
    move(linked, moved);
    symlinkSync(moved, linked);
    await standalone.start({ dataDir: data });
    for (let time = 1; time <= times; time += 1) {
      for (const [fault, play] of Object.entries(faults)) {
        await wait(random.int(0, 1_000));
        log(`${fault}, ${time} of ${times}`);
        await play();
        const sinceMs = performance.now();
        for (const disk of [tables, segments]) disk.free();
        await assertGoesOn(run, fault, sinceMs);
      }
    }
    await standalone.stop();
  } finally {
    await standalone.discard();
    for (const disk of [tables, segments]) disk.free();
    if (existsSync(moved)) {
      rmSync(linked);
      move(moved, linked);
    }
    if (!existsSync(home)) move(data, home);
    for (const disk of [tables, segments]) disk.remove();
  }
  await standalone.start({ dataDir: home });
  return null;
}

async function fill(run: ChaosRun, disk: SmallDisk, exhaust?: () => Promise<void>): Promise<void> {
  disk.fill();
  await exhaust?.();
  await untilNoneIsServed(run, disk);
}

async function assertGoesOn(run: ChaosRun, fault: string, sinceMs: number): Promise<void> {
  const tookMs = await recover(run, fault, sinceMs);
  if (tookMs > GOES_ON_WITHIN_MS) run.findings.failed(`${fault}: it went on after ${Math.round(tookMs)} ms`);
}
