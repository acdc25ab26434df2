import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '@paper/testkit';
import { recover, type World } from './world.ts';

const LIBRARY = 'faketime/libfaketimeMT.so.1';
/** How long the library goes on with what it has read. */
const CACHED_S = 1;
/** In which a running service believes its clock, however it is set. */
const BELIEVED_S = 60;
const OFFSETS_S = [0, -3_600, 3_600, -7_200, -30, 30] as const;

/** Debian's libfaketime, which shows a process another time than there is; null where it is not installed. */
export function findFakeTime(): string | null {
  const folders = ['/usr/lib', '/usr/local/lib'].filter(existsSync);
  const places = folders.flatMap((folder) => [folder, ...readdirSync(folder).map((name) => path.join(folder, name))]);
  return places.map((place) => path.join(place, LIBRARY)).find((file) => existsSync(file)) ?? null;
}

/**
 * Sets the clock of the process back and forward under its feet. Small steps it believes, and goes on. After a large one
 * it decides nothing until the clock is right again, or until it is started anew by the clock as it is then; nothing
 * that it had stored may be lost by that, nor time go back in the journal.
 */
export async function playClock(
  world: World,
  times: number,
  random: Random,
  { library, file }: { readonly library: string; readonly file: string },
  told: (line: string) => void,
): Promise<void> {
  const { standalone } = world;
  const { env } = standalone;
  let offsetS = 0;
  const set = async (seconds: number): Promise<void> => {
    writeFileSync(file, `${seconds >= 0 ? '+' : ''}${seconds}`);
    await wait(CACHED_S * 1_000 + random.int(0, 1_000));
  };
  writeFileSync(file, '+0');
  await standalone.stop();
  await standalone.start({
    env: {
      ...env,
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: String(CACHED_S),
      // What intervals are measured by goes on as it is, as on a machine whose clock is set.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
  });
  for (let time = 1; time <= times; time += 1) {
    const next = random.pick(OFFSETS_S.filter((one) => one !== offsetS));
    const way = next < offsetS ? 'back' : 'forward';
    told(`clock set ${way} by ${Math.abs(next - offsetS)} s, ${time} of ${times}`);
    const setMs = performance.now();
    await set(next);
    if (Math.abs(next - offsetS) <= BELIEVED_S) {
      await recover(world, `clock set ${way} by up to a minute`, setMs);
      offsetS = next;
    } else if (random.chance(0.5)) {
      const rightMs = performance.now();
      await set(offsetS);
      await recover(world, `clock set ${way} by hours, and put right`, rightMs);
    } else {
      const killedMs = performance.now();
      standalone.kill('the process', random, true);
      await recover(world, `clock set ${way} by hours, and kill −9 of the process`, killedMs);
      offsetS = next;
    }
  }
  await standalone.stop();
  await standalone.start({ env });
}
