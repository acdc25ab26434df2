import { RateLimited, Unavailable } from '@paper/contracts';
import { dictionary } from '@zxcvbn-ts/language-common';
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

  it('that are among the commonest are refused, in any case and form', async () => {
    const long = dictionary['passwords-common'].filter((each) => each.length >= 10);
    const tenThousandth = dictionary['passwords-common'].slice(0, 10_000).findLast((each) => each.length >= 10) ?? '';
    for (const common of ['qwertyuiop', 'QwertyUiop', 'ｑwertyuiop', '1234567890', tenThousandth]) {
      const refused: unknown = await passwords.hash(common, 'here', waiting()).catch((error: unknown) => error);
      expect(refused, common).to.have.property(
        'message',
        'validation failure: password: this password is one of the 10,000 used most: choose another',
      );
    }
    const rarer = long.find((each) => dictionary['passwords-common'].indexOf(each) >= 10_000) ?? '';
    expect(await passwords.hash(rarer, 'here', waiting())).to.match(/^\$argon2id/);
  });

  it('of a person without one are all wrong', async () => {
    expect(await passwords.verify(null, 'no person has this password', 'here', waiting())).to.equal(false);
  });

  /** Checks a wrong password this often from an address, all at once; gives the results, and why others were refused. */
  async function checkAtOnce(times: number, address: string, by: Passwords) {
    const checks = Array.from({ length: times }, () => by.verify(null, 'wrong', address, waiting()));
    const results = await Promise.allSettled(checks);
    const refusals = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    return { checked: times - refusals.length, refusals };
  }

  it('given 30 at once from one address, are checked one at a time with 5 waiting; the next ones are refused', async () => {
    // Its slot is free: after its work, a slot rests for a while.
    const { checked, refusals } = await checkAtOnce(30, 'here', new Passwords());
    expect(checked).to.equal(6);
    for (const refusal of refusals) {
      expect(refusal)
        .to.be.instanceOf(RateLimited)
        .with.property('message', 'too many requests of this address are waiting');
    }
  });

  it('given 5 each from several addresses, are checked one at a time with 20 waiting; the next ones are refused', async () => {
    const fresh = new Passwords();
    const all = await Promise.all(['one', 'two', 'three', 'four', 'five'].map((each) => checkAtOnce(5, each, fresh)));
    expect(all.map(({ checked }) => checked)).to.deep.equal([5, 5, 5, 5, 1]);
    for (const refusal of all.flatMap(({ refusals }) => refusals)) expect(refusal).to.be.instanceOf(Unavailable);
  });

  it('have names in one form', () => {
    expect(['Ann', 'ANN', 'ａｎｎ', 'Ａnn'].map(foldName)).to.deep.equal(['ann', 'ann', 'ann', 'ann']);
  });
});
