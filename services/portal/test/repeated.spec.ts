import type { Logger } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import { Repeated } from '../src/base/repeated.ts';

describe('work of the portal in the background', () => {
  it('that fails again and again is logged once a minute: it was logged with each round', async () => {
    const lines: unknown[] = [];
    let rounds = 0;
    const logger = { warn: (_: unknown, message: string) => lines.push(message) } as unknown as Logger;
    const work = (): Promise<void> => {
      rounds += 1;
      return rounds < 4 ? Promise.reject(new Error('away')) : Promise.resolve();
    };
    const job = new Repeated('read letters', 1, work, logger);
    job.start();
    await eventually('it works again', () => rounds >= 4);
    await job.stop();
    const failure = 'cannot read letters now; trying again later';
    expect(lines).to.deep.equal([failure, `${failure}: works again`]);
  });
});
