import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '@paper/testkit';
import type { Target } from './standalone.ts';
import { recover } from './chaos-run.ts';
import type { ChaosRun } from './chaos-run.ts';

const LOAD_MS = 1_000;
const AGAIN = 1 / 3;

/** Kills processes at random moments, a third again while they start; after each series the service must recover. */
export async function playKills(run: ChaosRun, kills: number): Promise<void> {
  const { log, standalone } = run;
  const random = run.randomOf('kills');
  let { startMs } = standalone;
  for (let killed = 0; killed < kills;) {
    await wait(random.int(0, LOAD_MS));
    const names: Target[] = [];
    let killedMs = 0;
    do {
      if (names.length > 0) await wait(random.int(0, Math.round(startMs)));
      killedMs = performance.now();
      const name = standalone.kill(anyTarget(random), random, names.length === 0);
      if (name === null) continue;
      names.push(name);
      killed += 1;
    } while (killed < kills && random.chance(AGAIN));
    const last = names.at(-1);
    if (last === undefined) continue;
    log(`${killed} of ${kills} kills: ${names.join(', then ')}`);
    const tookMs = await recover(run, `kill −9 of ${last}${names.length > 1 ? ', soon after another' : ''}`, killedMs);
    if (names.length === 1 && last.startsWith('the process')) startMs = tookMs;
  }
}

const anyTarget = (random: Random): Target =>
  random.weighted([
    [3, 'the process'],
    [2, 'its Postgres'],
    [3, 'a backend of Postgres'],
    [2, 'the process and Postgres'],
  ]);
