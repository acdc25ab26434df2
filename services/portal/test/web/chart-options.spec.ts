import { expect } from 'chai';
import { optionsOf } from '../../web/ui/chart-options.ts';
import type { ChartData } from '../../web/ui/chart-options.ts';
import { percentText, priceText } from '../../web/ui/format.ts';

const DATA: ChartData = {
  times: [100, 160],
  lines: [{ label: 'Chance', values: [0.4, 0.5], kind: 'steps', color: '--accent' }],
  spanS: 300,
  valueText: percentText,
};
const of = (data: ChartData) =>
  optionsOf(
    () => data,
    { width: 300, height: 200 },
    () => '#000000',
  );

describe('how a chart is drawn', () => {
  it('labels stand where their text says, whatever the distance between them', () => {
    const { incrs } = of(DATA).axes![1]!;
    for (const step of (incrs as number[]).filter((each) => each < 1)) {
      for (const value of [3 * step, 7 * step]) {
        expect(Number.parseFloat(percentText(value)) / 100).to.be.closeTo(value, 1e-9);
        expect(Number(priceText(value))).to.be.closeTo(value, 1e-9);
      }
    }
  });

  it('has room for the longest label', () => {
    const size = of(DATA).axes![1]!.size as (plot: unknown, texts: string[] | null) => number;
    expect(size(null, ['$10,002.50'])).to.be.above(70);
    expect(size(null, null)).to.be.above(20);
  });

  it('spans the given times, as they are when it is drawn; without them those of its points', () => {
    const rangeOf = (data: ChartData) => (of(data).scales!['x']!.range as () => [number, number])();
    expect(rangeOf({ ...DATA, span: [50, 400] })).to.deep.equal([50, 400]);
    expect(rangeOf(DATA)).to.deep.equal([-140, 160]);
  });
});
