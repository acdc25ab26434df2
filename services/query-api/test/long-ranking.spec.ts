import { expect } from 'chai';
import type { queries } from '@paper/read-models';
import { LongRanking } from '../src/leaderboard/long-ranking.ts';

const ranking = (total: number): queries.Ranking => ({ entries: [], total });

describe('a long ranking', () => {
  it('is made once for concurrent requests, and not before the first', async () => {
    let made = 0;
    const long = new LongRanking((limit) => Promise.resolve({ seq: (made += 1), value: ranking(limit) }));
    expect(made).to.equal(0);
    const answers = await Promise.all([long.current(7), long.current(8)]);
    expect(answers).to.deep.equal([
      { seq: 1, value: ranking(7) },
      { seq: 1, value: ranking(7) },
    ]);
    expect(await long.current(9)).to.deep.equal(answers[0]);
  });

  it('is tried again after it failed', async () => {
    let tries = 0;
    const long = new LongRanking((limit) => {
      tries += 1;
      return tries === 1
        ? Promise.reject(new Error('no database'))
        : Promise.resolve({ seq: 1, value: ranking(limit) });
    });
    expect(await long.current(3).catch(String)).to.equal('Error: no database');
    expect(await long.current(3)).to.deep.equal({ seq: 1, value: ranking(3) });
  });
});
