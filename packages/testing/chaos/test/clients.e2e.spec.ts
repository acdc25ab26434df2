import { longTest } from '@paper/testkit';
import { expect } from 'chai';
import { compareEvents } from '../src/clients/reference.ts';
import { runEndurance } from '../src/clients/endure.ts';

describe('bots that use the client', () => {
  it('through cuts and kills: every order placed once, no event lost or doubled', async function () {
    longTest(this);
    this.timeout(240_000);
    const lines: string[] = [];
    const verdict = await runEndurance({
      seconds: 40,
      seed: 1,
      traders: 3,
      cutEveryMs: 2_000,
      killEveryMs: 15_000,
      log: (line) => void lines.push(line),
    });
    expect(verdict.problems, lines.join('\n')).to.deep.equal([]);
    expect(verdict.orders).to.be.above(100);
    expect(verdict.kills).to.be.at.least(1);
    expect(verdict.cuts).to.be.at.least(8);
    expect(verdict.resumes).to.be.at.least(3);
  });

  it('the judge sees a lost, a doubled and a moved event', () => {
    expect(compareEvents(['1', '2', '3'], ['1', '2', '3'])).to.deep.equal({ lost: 0, doubled: 0, isInOrder: true });
    expect(compareEvents(['1', '2', '3'], ['1', '3'])).to.deep.equal({ lost: 1, doubled: 0, isInOrder: false });
    expect(compareEvents(['1', '2'], ['1', '2', '2'])).to.deep.equal({ lost: 0, doubled: 1, isInOrder: false });
    expect(compareEvents(['1', '2'], ['2', '1'])).to.deep.equal({ lost: 0, doubled: 0, isInOrder: false });
  });
});
