import { expect } from 'chai';
import type { ChartData } from '../../web/ui/chart-data.ts';
import { rangeOf, spanOf, timeLabels, valueLabels } from '../../web/ui/chart-scale.ts';
import { percentText, priceText } from '../../web/ui/format.ts';

const DATA: ChartData = {
  times: [100, 160, 220],
  lines: [
    { label: 'Shares', values: [9, undefined, 4], kind: 'bars', color: '--line' },
    { label: 'Chance', values: [0.1, 0.4, 0.5], kind: 'steps', color: '--accent' },
  ],
  spanS: 300,
  valueText: percentText,
};

describe('the scales of a chart', () => {
  it('span the given times; without them those of its points, and no less than asked for', () => {
    expect(spanOf({ ...DATA, span: [50, 400] })).to.deep.equal([50, 400]);
    expect(spanOf(DATA)).to.deep.equal([-80, 220]);
    expect(spanOf({ ...DATA, spanS: 0 })).to.deep.equal([100, 220]);
  });

  it('have room around the values that are shown, of which bars are none', () => {
    expect(rangeOf(DATA, [0, 300]).map((value) => Math.round(value * 1000))).to.deep.equal([52, 548]);
    // A step that began before the span still holds in it.
    expect(rangeOf(DATA, [170, 300]).map((value) => Math.round(value * 1000))).to.deep.equal([388, 512]);
    expect(rangeOf({ ...DATA, times: [], lines: [] }, [0, 1])).to.deep.equal([0, 1]);
  });

  it('have labels of values that equal their places, whatever the range', () => {
    for (let width = 0.003; width < 1; width *= 1.7) {
      const labels = valueLabels([0.331, 0.331 + width], 6, percentText);
      expect(labels.length, String(width)).to.be.within(1, 7);
      for (const { at, text } of labels) {
        expect(Number.parseFloat(text) / 100).to.be.closeTo(at, 1e-9);
        expect(Number(priceText(at))).to.be.closeTo(at, 1e-9);
      }
    }
    expect(valueLabels([9_995, 10_008], 6, String).map(({ text }) => text)).to.deep.equal(['9995', '10000', '10005']);
  });

  it('have labels of times at whole steps, with the day at midnight', () => {
    const start = new Date(2026, 10, 23, 20, 0).getTime() / 1000;
    expect(timeLabels([start, start + 30], 6).map(({ text }) => text)).to.deep.equal(
      ['00', '05', '10', '15', '20', '25', '30'].map((second) => `20:00:${second}`),
    );
    const night = timeLabels([start + 60, start + 6 * 3_600], 6).map(({ text }) => text);
    expect(night).to.deep.equal(['21:00', '22:00', '23:00', 'Nov 24', '01:00', '02:00']);
    const days = timeLabels([start, start + 5 * 86_400], 6).map(({ text }) => text);
    expect(days).to.deep.equal(['Nov 24', 'Nov 25', 'Nov 26', 'Nov 27', 'Nov 28']);
  });
});
