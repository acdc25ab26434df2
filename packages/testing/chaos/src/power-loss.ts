import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@paper/testkit';
import type { Random } from '@paper/testkit';
import { GivenUp } from './findings.ts';
import { move, sizeOf } from './data-folder.ts';
import { VolatileDisk } from './power/volatile-disk.ts';
import { kill, leftoversOf } from './processes.ts';
import { recover } from './chaos-run.ts';
import type { ChaosRun } from './chaos-run.ts';

/** The size of the disk, enough for all data of the run. Its file is sparse. */
const ROOM_BYTES = 2 * 1024 * 1024 * 1024;
const DIES_WITHIN_MS = 60_000;
/** The longest time of trading between two power losses. Some power losses come during a start. */
const TRADES_MS_MAX = 5_000;

/**
 * Moves the data folder onto a disk that can lose its power, and cuts that power repeatedly, under load and during
 * starts: all processes end, and unflushed writes are lost, or all but some sectors of them. After each restart every
 * acknowledged command must be there. At the end the folder is moved back. With `isLying` the disk acknowledges flushes
 * without doing them: the judge must find that acknowledged commands are lost.
 */
export async function playPowerLosses(run: ChaosRun, times: number, isLying: boolean): Promise<void> {
  const { standalone } = run;
  const random = run.randomOf('power');
  const home = standalone.dataDir;
  const disk = new VolatileDisk(path.join(path.dirname(home), 'volatile-disk'));
  const data = path.join(disk.mount, 'data');
  await standalone.stop();
  // Ctrl-C must not leave a mounted disk behind.
  const abandon = (): void => disk.takeDown();
  process.once('exit', abandon);
  try {
    await disk.make(sizeOf(home) + ROOM_BYTES);
    await checkDisk(disk);
    move(home, data);
    execFileSync('sync', ['--file-system', disk.mount]);
    await standalone.start({ dataDir: data });
    if (isLying) disk.lie();
    for (let time = 1; time <= times; time += 1) {
      run.log(`power lost, ${time} of ${times}`);
      await loseOnce(run, disk, random, isLying);
    }
    await standalone.stop();
  } finally {
    await standalone.discard();
    await nothingRuns(data);
    if (!existsSync(home) && existsSync(data)) move(data, home);
    process.off('exit', abandon);
    await disk.remove();
    rmSync(path.dirname(disk.mount), { recursive: true, force: true });
  }
  await standalone.start({ dataDir: home });
}

async function loseOnce(run: ChaosRun, disk: VolatileDisk, random: Random, isLying: boolean): Promise<void> {
  const { findings, standalone, log } = run;
  const { dataDir } = standalone;
  await wait(random.int(0, TRADES_MS_MAX));
  // After a long time without a flush, keeping only some sectors would destroy the file system itself.
  const survivors = random.chance(0.5) || isLying ? 'none' : 'some sectors';
  // The processes are looked up before the loss: even reading about a process that waits for a dead disk would block.
  const running = leftoversOf(dataDir);
  let ends = Promise.resolve();
  const unflushed = await disk.losePower(survivors, random.int(1, 2 ** 31), () => {
    ends = standalone.discard();
    for (const pid of running) kill(pid);
  });
  await ends;
  await nothingRuns(dataDir);
  log(
    `  ${unflushed} blocks were not flushed, of which ${survivors === 'none' ? 'all' : 'about half of the sectors'} are lost`,
  );
  const sinceMs = performance.now();
  await disk.restorePower();
  await standalone.start().catch((error: unknown) => {
    findings.failed(`after a loss of power: ${String(error)}`);
    throw error;
  });
  await recover(run, `power lost, of unflushed writes ${survivors === 'none' ? 'none' : 'some sectors'} left`, sinceMs);
}

/** Checks that the disk keeps flushed writes and drops the others; otherwise the run would prove nothing. */
async function checkDisk(disk: VolatileDisk): Promise<void> {
  const [kept, lost] = [path.join(disk.mount, 'kept'), path.join(disk.mount, 'lost')];
  mkdirSync(disk.mount, { recursive: true });
  write(kept, true);
  write(lost, false);
  await disk.losePower('none', 1, () => undefined);
  await disk.restorePower();
  const found = [kept, lost].map((file) => existsSync(file) && readFileSync(file, 'utf8') === 'written');
  if (found.join() !== 'true,false') throw new GivenUp(`the disk has kept and lost the wrong things: ${found.join()}`);
  rmSync(kept);
}

function write(file: string, flushed: boolean): void {
  const handle = openSync(file, 'w');
  writeSync(handle, 'written');
  if (flushed) fsyncSync(handle);
  closeSync(handle);
}

/** A process that waits for the disk ends only once the disk has been removed. */
async function nothingRuns(dataDir: string): Promise<void> {
  const killLeftovers = (): boolean => {
    const left = leftoversOf(dataDir);
    for (const pid of left) kill(pid);
    return left.length === 0;
  };
  await eventually(`nothing runs on ${dataDir} without power`, killLeftovers, { withinMs: DIES_WITHIN_MS });
}
