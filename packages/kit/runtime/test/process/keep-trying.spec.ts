import { expect } from 'chai';
import { createLogger, keepTrying } from '../../src/index.ts';
import { createTeardown } from '../../src/process/teardown.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

describe('what may not be there yet', () => {
  it('is tried until it is there, and closed with the service', async () => {
    const teardown = createTeardown(logger);
    let tries = 0;
    let closed = false;
    const opened = {
      close: async () => {
        closed = true;
      },
    };
    const open = (): Promise<typeof opened> => {
      tries += 1;
      return tries < 3 ? Promise.reject(new Error('away')) : Promise.resolve(opened);
    };
    expect(await keepTrying('thing', open, { logger, teardown })).to.equal(opened);
    expect([tries, closed]).to.deep.equal([3, false]);
    await teardown.run();
    expect(closed).to.equal(true);
  });

  it('is closed at once when it comes after the service began to stop', async () => {
    const teardown = createTeardown(logger);
    let closed = false;
    await teardown.run();
    const close = async (): Promise<void> => {
      closed = true;
    };
    await keepTrying('thing', () => Promise.resolve({ close }), { logger, teardown });
    expect(closed).to.equal(true);
  });
});
