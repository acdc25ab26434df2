import { expect } from 'chai';
import { createLogger } from '@paper/runtime';
import { ApiRefusal } from 'paper-trading-client';
import { createPersistence } from '../src/persistence.ts';

/** Work that fails with these errors in order, and then succeeds. */
function failing(...errors: readonly Error[]): { readonly tries: () => number; readonly work: () => Promise<string> } {
  let tries = 0;
  const work = (): Promise<string> => {
    const error = errors[tries];
    tries += 1;
    return error === undefined ? Promise.resolve('done') : Promise.reject(error);
  };
  return { tries: () => tries, work };
}

const logger = createLogger({ name: 'test', level: 'silent' }, process.stderr);
const refused = (status: number): ApiRefusal => new ApiRefusal('GET /api/health', status, 'unavailable', 'not now');
const reset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

describe('the retries of the standalone at its start', () => {
  it('goes on after a 503, a lost connection and a time-out, which a crash of one process of Postgres brings', async () => {
    const { tries, work } = failing(refused(503), reset(), new DOMException('too late', 'TimeoutError'));
    expect(await createPersistence(logger, () => false, 1)(work)).to.equal('done');
    expect(tries()).to.equal(4);
  });

  it('goes on after a 408, which a busy machine brings', async () => {
    expect(await createPersistence(logger, () => false, 1)(failing(refused(408)).work)).to.equal('done');
  });

  it('goes on once a full disk has space again, of which the start died', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    expect(await createPersistence(logger, () => false, 1)(failing(full, full).work)).to.equal('done');
  });

  for (const error of [refused(401), new Error('a bug')]) {
    it(`fails at once of what does not pass: ${error.name} ${error.message}`, async () => {
      const { tries, work } = failing(error);
      const thrown: unknown = await createPersistence(logger, () => false, 1)(work).catch((reason: unknown) => reason);
      expect(thrown).to.equal(error);
      expect(tries()).to.equal(1);
    });
  }

  it('is not tried again once the service is asked to stop', async () => {
    const { tries, work } = failing(refused(503));
    const thrown: unknown = await createPersistence(logger, () => true, 1)(work).catch((reason: unknown) => reason);
    expect(thrown).to.be.instanceOf(ApiRefusal);
    expect(tries()).to.equal(1);
  });
});
