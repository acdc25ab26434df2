import { getPriority } from 'node:os';
import { expect } from 'chai';
import { lowerBackendsOf } from '../../src/process/database.ts';

describe("the backends of a backtest's database", () => {
  it('are left alone where their server is elsewhere: their ids are those of other processes here', () => {
    const priority = getPriority();
    lowerBackendsOf('backtest_1')(process.pid);
    lowerBackendsOf('backtest_1')(4_194_304);
    expect(getPriority()).to.equal(priority);
  });
});
