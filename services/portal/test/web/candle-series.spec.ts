import { expect } from 'chai';
import { lineSeries, periodFor, rangeTimes } from '../../web/pages/market/candle-series.ts';

const HOUR_MS = 3_600_000;

describe('the range of a chart', () => {
  it('ends now, and begins with the market where that is younger', () => {
    expect(rangeTimes('1h', 0, 5 * HOUR_MS)).to.deep.equal([4 * HOUR_MS, 5 * HOUR_MS]);
    expect(rangeTimes('6h', 2 * HOUR_MS, 5 * HOUR_MS)).to.deep.equal([2 * HOUR_MS, 5 * HOUR_MS]);
    expect(rangeTimes('all', HOUR_MS, 5_000 * HOUR_MS)).to.deep.equal([HOUR_MS, 5_000 * HOUR_MS]);
  });

  for (const [hours, minutes] of [
    [1, 1],
    [6, 5],
    [24, 15],
    [168, 60],
    [720, 1440],
    [100_000, 1440],
  ] as const) {
    it(`of ${hours} h has candles of ${minutes} min`, () => {
      expect(periodFor(hours * HOUR_MS)).to.equal(minutes);
    });
  }
});

describe('the columns of a chart of the chance', () => {
  const iso = (second: number): string => new Date(second * 1000).toISOString();
  const moment = (second: number, probability: number) => ({ at: iso(second), probability });
  const candle = (second: number, volume: number) => ({ start: iso(second), volume });

  it('given moments and candles, then the chance holds until the next moment, and the present stands at the end', () => {
    const now = { atMs: 5_000, probability: 0.7 };
    expect(lineSeries([moment(1, 0.4), moment(3, 0.6)], [candle(2, 12), candle(4, 0)], 0, now)).to.deep.equal({
      times: [1, 2, 3, 4, 5],
      chances: [0.4, 0.4, 0.6, 0.6, 0.7],
      volumes: [undefined, 12, undefined, 0, undefined],
    });
  });

  it('given moments before the range, then it begins with the chance of then', () => {
    const { chances, times } = lineSeries([moment(1, 0.4), moment(2, 0.5), moment(9, 0.6)], [], 8, null);
    expect([times, chances]).to.deep.equal([
      [8, 9],
      [0.5, 0.6],
    ]);
  });

  it('given several moments of one instant, then the last one counts', () => {
    expect(lineSeries([moment(1, 0.4), moment(1, 0.6)], [], 0, null).chances).to.deep.equal([0.6]);
  });

  it('given a clock that is behind the service, then no time goes back', () => {
    const { chances, times } = lineSeries([moment(4, 0.4)], [], 0, { atMs: 3_000, probability: 0.7 });
    expect([times, chances]).to.deep.equal([[4], [0.7]]);
  });

  it('given no moment, then there is no point', () => {
    const now = { atMs: 3_000, probability: 0.7 };
    expect(lineSeries([], [candle(1, 5)], 0, now)).to.deep.equal({ times: [], chances: [], volumes: [] });
  });
});
