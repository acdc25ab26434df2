import { expect } from 'chai';
import { comparedFigures, figuresOf } from '../src/harness/compared-figures.ts';

const output = (orders: string, ms: string): string =>
  [
    'node v20\n',
    '| program | connections | orders/s | p50 ms |',
    '| --- | --: | --: | --: |',
    `| service | 64 | ${orders} | ${ms} ms |`,
    `| service | 1 | 281 | 3.0 |`,
    '\nbar: met\n',
    '| read | ratio | bar |',
    '| --- | --: | --: |',
    '| markets | 250 % | met |',
  ].join('\n');

describe('figures of benchmarks', () => {
  it('are the numbers in the tables, by row and column', () => {
    expect([...figuresOf(output('2,464', '17.5'))]).to.deep.equal([
      ['service: connections', 64],
      ['service: orders/s', 2464],
      ['service: p50 ms', 17.5],
      ['service: connections (2)', 1],
      ['service: orders/s (2)', 281],
      ['service: p50 ms (2)', 3],
      ['markets: ratio', 250],
    ]);
  });

  it('of two builds are compared by the medians of their rounds, as far as both have them', () => {
    const before = [output('100', '1'), output('300', '2'), output('200', '3')].map(figuresOf);
    const after = [`${output('400', '4')}\n| markets, new | 1 | met |`].map(figuresOf);
    const compared = comparedFigures(before, after);
    expect(compared.find(({ name }) => name === 'service: orders/s')).to.deep.include({ before: 200, after: 400 });
    expect(compared.map(({ name }) => name)).not.to.include('markets, new: ratio');
  });
});
