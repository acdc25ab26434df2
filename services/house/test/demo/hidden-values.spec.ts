import { expect } from 'chai';
import { createRandom } from '@paper/testkit';
import type { Chance } from '../../src/demo/chance.ts';
import { HiddenValues } from '../../src/demo/hidden-values.ts';

const MINUTE = 60_000;
const chanceOf = (seed: number): Chance => {
  const random = createRandom(seed);
  return () => random.next() / 2 ** 32;
};
const started = (seed: number, start = 0.5): HiddenValues => {
  const hidden = new HiddenValues(chanceOf(seed));
  hidden.add('m', { liveliness: 1, mean: 0.5, start });
  return hidden;
};
const of = (hidden: HiddenValues, id = 'm') => hidden.of(id) ?? expect.fail(`no market ${id}`);

describe('the hidden values of the demo', () => {
  it('are the same for the same seed, and others for another', () => {
    const run = (seed: number) => {
      const hidden = started(seed);
      for (let turn = 0; turn < 50; turn += 1) hidden.advance(3_000);
      return of(hidden);
    };
    expect(run(1)).to.deep.equal(run(1));
    expect(run(1)).to.not.deep.equal(run(2));
  });

  it('move by cents within an hour, stay in range for a month, and return to the mean', () => {
    const hidden = started(3, 0.9);
    hidden.advance(MINUTE * 60);
    expect(of(hidden).value).to.be.within(0.7, 0.96);
    let sum = 0;
    for (let hour = 0; hour < 30 * 24; hour += 1) {
      hidden.advance(MINUTE * 60);
      const { value, view } = of(hidden);
      expect(value).to.be.within(0.04, 0.96);
      expect(view).to.be.within(0.04, 0.96);
      sum += value;
    }
    expect(sum / (30 * 24)).to.be.closeTo(0.5, 0.02);
  });

  it('have a view that follows them late', () => {
    const hidden = started(4);
    hidden.strike(new Map([['m', 0.2]]), 'm');
    expect(of(hidden)).to.deep.include({ value: 0.7, view: 0.5, newsAgeMs: 0 });
    hidden.report('m', 0.7);
    expect(of(hidden)).to.deep.include({ value: 0.7, newsAgeMs: 0 });
    expect(of(hidden).view).to.be.closeTo(0.56, 1e-9);
    for (let turn = 0; turn < 200; turn += 1) hidden.advance(3_000);
    expect(Math.abs(of(hidden).view - of(hidden).value)).to.be.below(0.07);
    expect(of(hidden).newsAgeMs).to.equal(600_000);
  });

  it('are struck together where an event says so, and news is about one of them', () => {
    const hidden = started(5);
    hidden.add('n', { liveliness: 1, mean: 0.5, start: 0.5 });
    hidden.strike(
      new Map([
        ['m', -0.04],
        ['n', 0.02],
        ['unknown', 0.5],
      ]),
      'm',
    );
    expect(of(hidden).value).to.be.closeTo(0.46, 1e-9);
    expect(of(hidden, 'n')).to.deep.include({ value: 0.52, newsAgeMs: Infinity });
  });

  it('take over what an operator cites', () => {
    const hidden = started(6);
    hidden.accept('m', 0.8);
    expect(of(hidden)).to.deep.include({ value: 0.8, view: 0.8, newsAgeMs: 0 });
  });

  it('stay as they are where a market is added again, and forget those that are gone', () => {
    const hidden = started(7, 0.3);
    hidden.add('m', { liveliness: 1, mean: 0.5, start: 0.9 });
    expect(of(hidden).value).to.equal(0.3);
    hidden.keep(new Set());
    expect(hidden.of('m')).to.equal(undefined);
  });

  it('stand still while no time passes', () => {
    const hidden = started(8);
    const before = of(hidden);
    hidden.advance(0);
    expect(of(hidden)).to.deep.equal(before);
  });
});
