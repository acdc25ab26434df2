import { expect } from 'chai';
import { clockWarning, compareClocks } from '../../web/base/service-clock.ts';
import { dayText, relativeText, timeText } from '../../web/ui/format.ts';

const YEAR = new Date().getUTCFullYear();
const MINUTE_MS = 60_000;

const later = (ms: number): string => new Date(Date.now() + ms).toISOString();

describe('times in a browser', () => {
  const dataset: Record<string, string> = {};
  let zoneBefore: string | undefined;

  before(() => {
    zoneBefore = process.env['TZ'];
    process.env['TZ'] = 'Asia/Kolkata';
    Object.assign(globalThis, { document: { documentElement: { dataset } } });
  });

  afterEach(() => {
    delete dataset['times'];
    compareClocks(new Date().toUTCString());
  });

  after(() => {
    if (zoneBefore === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zoneBefore;
    Reflect.deleteProperty(globalThis, 'document');
  });

  it("are in the person's zone, which stands beside them, and have a year only where it is not this one", () => {
    expect(timeText(`${YEAR}-03-01T20:14:05.000Z`)).to.equal('Mar 2, 01:44 UTC+5:30');
    expect(timeText('2035-12-31T20:00:00.000Z')).to.equal('Jan 1, 2036, 01:30 UTC+5:30');
    expect(dayText('2035-12-31T20:00:00.000Z')).to.equal('Jan 1, 2036');
  });

  it('are in UTC for who chose it', () => {
    dataset['times'] = 'utc';
    expect(timeText(`${YEAR}-03-01T20:14:05.000Z`)).to.equal('Mar 1, 20:14 UTC');
  });

  for (const [ms, wanted] of [
    [-30_000, 'just now'],
    [-2.5 * MINUTE_MS, '2 min ago'],
    [-90 * MINUTE_MS, '1 h ago'],
    [30_000, 'in under 1 min'],
    [4.5 * MINUTE_MS, 'in 4 min'],
    [5.5 * 60 * MINUTE_MS, 'in 5 h'],
    [25 * 60 * MINUTE_MS, null],
    [-25 * 60 * MINUTE_MS, null],
  ] as const) {
    it(`are relative within a day: ${wanted ?? 'not beyond'}`, () => {
      expect(relativeText(later(ms))).to.equal(wanted);
    });
  }

  it("count by the service's clock where the browser's differs by more than 60 s, and the page says so", () => {
    compareClocks(later(50_000));
    expect(clockWarning()).to.equal(null);
    compareClocks(later(-3 * 60 * MINUTE_MS - 2 * MINUTE_MS));
    expect(clockWarning()).to.contain('3 h 2 min ahead of the service');
    expect(relativeText(later(-3 * 60 * MINUTE_MS + MINUTE_MS / 2))).to.equal('in 2 min');
    compareClocks(later(5 * MINUTE_MS));
    expect(clockWarning()).to.contain('5 min behind the service');
    compareClocks(null);
    expect(clockWarning()).to.contain('5 min behind');
  });
});
