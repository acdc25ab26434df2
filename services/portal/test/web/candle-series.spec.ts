import type { CandleBody } from '@paper/contracts/markets';
import { expect } from 'chai';
import { chartStart, probabilitySeries, seriesOf } from '../../web/pages/market/candle-series.ts';

const candle: CandleBody = {
  start: '2026-11-23T10:00:00.000Z',
  open: 0.4,
  high: 0.46,
  low: 0.39,
  close: 0.45,
  volume: 12,
  trades: 2,
  yesBidClose: 0.44,
  yesAskClose: null,
};

describe('the columns of a price chart', () => {
  it('given candles, then each column has their values in order, with times in seconds', () => {
    const later = { ...candle, start: '2026-11-23T10:05:00.000Z', close: 0.5, high: 0.51, low: 0.45, volume: 3 };
    expect(seriesOf([candle, later])).to.deep.equal({
      times: [Date.UTC(2026, 10, 23, 10) / 1000, Date.UTC(2026, 10, 23, 10, 5) / 1000],
      closes: [0.45, 0.5],
      highs: [0.46, 0.51],
      lows: [0.39, 0.45],
      volumes: [12, 3],
    });
  });

  it('given a time within a period, then 240 periods are asked for, the one under way among them', () => {
    expect(chartStart(Date.UTC(2026, 10, 23, 10, 7, 30), 5)).to.equal('2026-11-22T14:10:00.000Z');
  });

  it('given days, then the range begins no earlier than 1970', () => {
    expect(chartStart(86_400_000, 1440)).to.equal('1970-01-01T00:00:00.000Z');
  });
});

describe('the columns of a chart of the chance', () => {
  const moment = (seconds: number, probability: number) => ({
    seq: seconds,
    at: new Date(seconds * 1000).toISOString(),
    probability,
  });

  it('given moments, then the present stands at their end', () => {
    expect(probabilitySeries([moment(1, 0.4), moment(3, 0.6)], { atMs: 5_000, probability: 0.7 })).to.deep.equal({
      times: [1, 3, 5],
      probabilities: [0.4, 0.6, 0.7],
    });
  });

  it('given several moments of one instant, then the last one counts', () => {
    expect(probabilitySeries([moment(1, 0.4), moment(1, 0.6)], null)).to.deep.equal({
      times: [1],
      probabilities: [0.6],
    });
  });

  it('given a clock that is behind the service, then no time goes back', () => {
    expect(probabilitySeries([moment(4, 0.4)], { atMs: 3_000, probability: 0.7 })).to.deep.equal({
      times: [4],
      probabilities: [0.7],
    });
  });

  it('given no moment, then there is no point', () => {
    expect(probabilitySeries([], { atMs: 3_000, probability: 0.7 })).to.deep.equal({ times: [], probabilities: [] });
  });
});
