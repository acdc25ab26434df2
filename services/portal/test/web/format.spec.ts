import { expect } from 'chai';
import fc from 'fast-check';
import {
  clockText,
  dayText,
  countText,
  gainText,
  moneyText,
  probabilityChangeText,
  percentText,
  priceText,
  roundMoneyText,
  timeText,
} from '../../web/ui/format.ts';

describe('figures as texts', () => {
  for (const [text, wanted] of [
    [moneyText(1_234.5), '$1,234.50'],
    [moneyText(-0.0001), '$0.00'],
    [moneyText(-1.005), '−$1.01'],
    [moneyText(9_986.405), '$9,986.41'],
    [moneyText(-0), '$0.00'],
    [moneyText(null), '–'],
    [gainText(3), '+$3.00'],
    [gainText(-0.5), '−$0.50'],
    [gainText(0), '$0.00'],
    [priceText(0.55), '0.55'],
    [priceText(0.1234), '0.1234'],
    [percentText(0.555), '55.5%'],
    [percentText(1), '100%'],
    [countText(12_345), '12,345'],
    [countText(999), '999'],
    [roundMoneyText(950), '$950'],
    [roundMoneyText(12_345), '$12.3K'],
    [roundMoneyText(4_000_000), '$4M'],
    [timeText('2019-06-01T07:14:05.000Z'), 'Jun 1, 2019, 07:14 UTC'],
    [probabilityChangeText(0.015), '▲ 1.5'],
    [probabilityChangeText(-0.003), '▼ 0.3'],
    [probabilityChangeText(0.0001), ''],
  ] as const) {
    it(wanted === '' ? 'nothing, where a change rounds to nothing' : wanted, () => {
      expect(text).to.equal(wanted);
    });
  }

  it('are those of the formats of the platform, for all whole amounts of the smallest unit', () => {
    const dollars = new Intl.NumberFormat('en', {
      style: 'currency',
      currency: 'USD',
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    });
    const price = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 });
    const whole = new Intl.NumberFormat('en');
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (units) => {
        const cents = Math.round(units / 100);
        expect(moneyText(cents / 100)).to.equal(dollars.format(cents / 100 + 0).replace('-', '−'));
        expect(priceText(units / 10_000)).to.equal(price.format(units / 10_000 + 0).replace('-', '−'));
        expect(countText(units)).to.equal(whole.format(units).replace('-', '−'));
      }),
    );
  });

  it('are those of the formats of the platform, for times in UTC, which a server shows', () => {
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
    const ofDay = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23', timeZone: 'UTC' });
    const [from, to] = [Date.parse('1971-01-01'), Date.parse('2999-12-31')];
    fc.assert(
      fc.property(fc.integer({ min: from, max: to }), (ms) => {
        const at = new Date(ms);
        expect(dayText(at.toISOString())).to.equal(day.format(at));
        expect(clockText(at.toISOString())).to.equal(ofDay.format(at));
      }),
    );
  });
});
