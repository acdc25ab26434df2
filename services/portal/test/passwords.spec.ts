import { Unavailable } from '@paper/contracts';
import { expect } from 'chai';
import { foldName, Passwords } from '../src/identity/passwords.ts';

/** The signal of a client that waits for ever. */
const waiting = (): AbortSignal => new AbortController().signal;

describe('passwords', function () {
  this.timeout(30_000);
  const passwords = new Passwords();

  it('are stored as argon2id, and checked in any Unicode form', async () => {
    const stored = await passwords.hash('pa\u0073\u0073wo\u0308rter', 'here', waiting());
    expect(stored).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(stored, 'passw\u00f6rter', 'here', waiting())).to.equal(true);
    expect(await passwords.verify(stored, 'passworter', 'here', waiting())).to.equal(false);
  });

  it('of a person without one are all wrong', async () => {
    expect(await passwords.verify(null, 'no person has this password', 'here', waiting())).to.equal(false);
  });

  it('are checked 2 at once with 20 waiting; the next ones are refused at once', async () => {
    const stored = await passwords.hash('a password of someone', 'here', waiting());
    // One whose places are all free: after its work, a place rests for a while.
    const fresh = new Passwords();
    const checks = Array.from({ length: 30 }, () => fresh.verify(stored, 'wrong', 'here', waiting()));
    const results = await Promise.allSettled(checks);
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(22);
    const reasons = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(reasons).to.have.length(8);
    for (const reason of reasons) expect(reason).to.be.instanceOf(Unavailable);
  });

  it('have names in one form', () => {
    expect(['Ann', 'ANN', 'ａｎｎ', 'Ａnn'].map(foldName)).to.deep.equal(['ann', 'ann', 'ann', 'ann']);
  });
});
