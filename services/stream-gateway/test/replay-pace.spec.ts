import { setMaxListeners } from 'node:events';
import { FakeClock, meanwhile, createRandom } from '@paper/testkit';
import { pause } from '@paper/timing';
import { expect } from 'chai';
import { ReplayPace, SLICE } from '../src/replay-pace.ts';

describe('the pace at which a fleet is sent what its streams missed', () => {
  it('is at most 5,000 events in any second, however many streams there are, and however slow their clients', async () => {
    for (const streams of [1, 3, 40]) {
      const random = createRandom(streams);
      const clock = new FakeClock();
      const pace = new ReplayPace(clock);
      const { signal } = new AbortController();
      setMaxListeners(0, signal);
      let left = 300;
      /** The time of each slice. */
      const times: number[] = [];
      const replay = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await pace.turn('ann', SLICE, signal);
          times.push(clock.monotonic());
          await pause(random.int(0, 15), { clock });
        }
      };
      await meanwhile(clock, Promise.all(Array.from({ length: streams }, replay)));
      for (const [index, atMs] of times.entries()) {
        const next = times[index + 5_000 / SLICE] ?? Infinity;
        expect(next - atMs, `the second from slice ${index} of ${streams} streams`).to.be.at.least(1_000);
      }
    }
  });
});
