import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTime } from '../src/index.ts';

describe('work with a limit of time', () => {
  const late = (): string => 'late';

  it('gives its result, or its failure', async () => {
    expect(await inTime(Promise.resolve('done'), 1_000, late)).to.equal('done');
    const failed = await inTime(Promise.reject(new Error('no')), 1_000, late).catch((error: unknown) => String(error));
    expect(failed).to.equal('Error: no');
  });

  it('gives what is said for lateness where it takes longer', async () => {
    expect(await inTime(sleep(200, 'done'), 1, late)).to.equal('late');
    const failed = await inTime(sleep(200), 1, () => {
      throw new Error('too late');
    }).catch((error: unknown) => String(error));
    expect(failed).to.equal('Error: too late');
  });
});
