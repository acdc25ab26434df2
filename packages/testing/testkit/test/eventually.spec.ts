import { expect } from 'chai';
import { eventually } from '../src/eventually.ts';

describe('eventually', () => {
  const failing = (times: number) => (): boolean => {
    if (times > 0) {
      times -= 1;
      throw new RangeError('away');
    }
    return true;
  };
  const rejection = (wait: Promise<void>): Promise<unknown> =>
    wait.then(
      () => null,
      (error: unknown) => String(error),
    );

  it('ends with an error of its check', async () => {
    expect(await rejection(eventually('it is there', failing(1)))).to.equal('RangeError: away');
  });

  it('continues after an error that counts as not yet, and not after another', async () => {
    const isNotYet = (error: unknown): boolean => error instanceof RangeError;
    await eventually('it is there', failing(2), { everyMs: 1, isNotYet });
    const broken = eventually('it is there', () => Promise.reject(new TypeError('broken')), { isNotYet });
    expect(await rejection(broken)).to.equal('TypeError: broken');
  });

  it('names what it waited for, and the last error, when it gives up', async () => {
    const check = failing(Infinity);
    const ended = eventually('it is there', check, { withinMs: 0, everyMs: 1, isNotYet: () => true });
    expect(await rejection(ended)).to.equal('Error: not within 0 s: it is there (RangeError: away)');
  });
});
