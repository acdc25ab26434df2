import { eventually } from '@paper/testkit';
import { expect } from 'chai';
import type { ReadDb, ReadView } from '@paper/read-models';
import { LongRanking } from '../src/leaderboard/long-ranking.ts';

describe('a long ranking', () => {
  /** A ranking whose pages have their numbers in place of accounts, and how often it was opened and its read has ended. */
  const longRanking = (
    open: () => Promise<void> = () => Promise.resolve(),
    idle: () => Promise<void> = () => Promise.resolve(),
  ) => {
    const counted = { opened: 0, ended: 0 };
    const long = new LongRanking(
      {
        read: async <T>(query: (view: ReadView) => Promise<T>): Promise<T> => {
          const result = await query({ db: undefined as unknown as ReadDb, seq: 5, atMs: 0 });
          counted.ended += 1;
          return result;
        },
      },
      async () => {
        counted.opened += 1;
        await open();
        return { idle, page: (start) => Promise.resolve({ entries: [], total: start }) };
      },
    );
    return { counted, long };
  };
  const pageOf = (total: number) => ({ seq: 5, value: { entries: [], total } });

  it('is made once for concurrent requests, not before the first, and is kept until it is stopped', async () => {
    const { counted, long } = longRanking();
    expect(counted.opened).to.equal(0);
    expect(await Promise.all([long.page(7, 1), long.page(8, 1)])).to.deep.equal([pageOf(7), pageOf(8)]);
    expect(await long.page(9, 1)).to.deep.equal(pageOf(9));
    expect(counted).to.deep.equal({ opened: 1, ended: 0 });
    long.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(counted.ended).to.equal(1);
  });

  it('stays where the read of an earlier one ends after it was opened', async () => {
    let endIdle = (): void => undefined;
    const isIdle = new Promise<void>((resolve) => (endIdle = resolve));
    let hasLeft = false;
    const { counted, long } = longRanking(undefined, () => {
      hasLeft = true;
      return isIdle;
    });
    await long.page(1, 1);
    await eventually('the first is kept no longer', () => hasLeft);
    await long.page(2, 1);
    expect(counted).to.deep.equal({ opened: 2, ended: 0 });
    endIdle();
    await eventually('its read has ended', () => counted.ended === 1);
    await long.page(3, 1);
    expect(counted.opened).to.equal(2);
    long.stop();
  });

  it('is tried again after it failed', async () => {
    let tries = 0;
    const { long } = longRanking(() => {
      tries += 1;
      return tries === 1 ? Promise.reject(new Error('no database')) : Promise.resolve();
    });
    expect(await long.page(3, 1).catch(String)).to.equal('Error: no database');
    expect(await long.page(3, 1)).to.deep.equal(pageOf(3));
    long.stop();
  });
});
