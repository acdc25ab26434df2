import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '@paper/testkit';
import type { Target } from './standalone.ts';
import { recover, type World } from './world.ts';

const LOAD_MS = 1_000;
const AGAIN = 1 / 3;

/**
 * kill −9 at random moments: under load, and, one time in three, again while what was killed is starting or recovering.
 * After the last kill of a row everybody has to be served again by itself.
 */
export async function playKills(
  world: World,
  kills: number,
  random: Random,
  told: (line: string) => void,
): Promise<void> {
  const { standalone } = world;
  for (let killed = 0; killed < kills;) {
    await wait(random.int(0, LOAD_MS));
    const names: Target[] = [];
    let killedMs = 0;
    do {
      if (names.length > 0) await wait(random.int(0, Math.round(standalone.startMs)));
      killedMs = performance.now();
      names.push(standalone.kill(anyTarget(random), random, names.length === 0));
      killed += 1;
    } while (killed < kills && random.chance(AGAIN));
    const last = names.at(-1) ?? 'nothing';
    const mishap = `kill −9 of ${last}${names.length > 1 ? ', while it started' : ''}`;
    told(`${killed} of ${kills} kills: ${names.join(', then ')}`);
    await recover(world, mishap, killedMs);
  }
}

const anyTarget = (random: Random): Target =>
  random.weighted([
    [3, 'the process'],
    [2, 'its Postgres'],
    [3, 'a backend of Postgres'],
    [2, 'the process and Postgres'],
  ]);
