import type { CandlesBody } from '@paper/contracts/markets';
import type { Command } from '@paper/exchange/commands';
import { base, listMarket, OPERATOR, orderFrom, SYSTEM } from '@paper/testkit';
import { expect } from 'chai';
import type { ReadHarness } from './read-harness.ts';
import { cancel, get, trade, tradingHarness } from './trading-harness.ts';

const FAR = Date.UTC(2099, 0);
const CLOSES = { closesAt: FAR };

/** A command of a time on 21 November 2026. */
function at(time: string, command: string | Command): Command {
  const found = typeof command === 'string' ? orderFrom(command) : command;
  return { ...found, at: Date.parse(`2026-11-21T${time}Z`) };
}

/** A candle in one line: start, prices, what was traded, quotes. */
function line(candle: CandlesBody['candles'][number]): string {
  const { start, open, high, low, close, volume, trades, yesBidClose, yesAskClose } = candle;
  return `${start.slice(8, 16)} ${open} ${high} ${low} ${close}, ${volume} in ${trades}, ${yesBidClose} ${yesAskClose}`;
}

describe('candles over HTTP', function () {
  this.timeout(60_000);
  let harness: ReadHarness;

  before(async () => {
    harness = await tradingHarness();
    await harness.submit(listMarket('quiet', CLOSES), listMarket('c', CLOSES), listMarket('v', CLOSES));
    await trade(
      harness,
      // A quote before the first trade is in no candle.
      at('09:58:00', 'a0 ann buy yes 1 @ 0.10 in c'),
      at('10:00:10', 'a1 ann buy yes 10 @ 0.50 in c'),
      at('10:00:20', 'b1 bob buy no 4 @ 0.50 in c'),
      at('10:00:30', 'b2 bob buy no 3 @ 0.40 in c'),
      at('10:00:40', 'a2 ann buy yes 1 @ 0.60 in c'),
      at('10:00:59.999', 'b3 bob buy no 2 @ 0.50 in c'),
      at('10:01:00', 'b4 bob buy no 1 @ 0.50 in c'),
      at('10:04:00', cancel('ann', 'a1')),
      at('10:07:30', 'a3 ann buy yes 2 @ 0.60 in c'),
      at('10:07:30', cancel('ann', 'a0')),
      at('10:07:40', 'v1 ann buy yes 2 @ 0.55 in v'),
      at('10:07:40', 'v2 bob buy no 2 @ 0.45 in v'),
      at('10:08:10', { ...base(OPERATOR, 'v'), type: 'VoidMarket', marketId: 'v', priceUnits: 2_500, reason: 'test' }),
      at('10:09:20', { ...base(SYSTEM, 'run'), type: 'ContinueRun', marketId: 'v' }),
      at('10:12:00', 'q1 ann buy yes 1 @ 0.20 in quiet'),
    );
  });
  after(() => harness.close());

  const page = async (path: string) => {
    const { status, body, headers, next } = await get(harness, 'ann', path);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(Number(headers.get('x-journal-seq'))).to.equal(harness.log.events.length);
    return { body: body as CandlesBody, next };
  };
  const lines = async (path: string): Promise<string[]> => (await page(path)).body.candles.map(line);

  it('show each minute from the first trade to the newest event of all', async () => {
    expect(await lines('/api/markets/c/candles?period=1')).to.deep.equal([
      '21T10:00 0.5 0.6 0.5 0.5, 7 in 3, 0.5 0.6',
      '21T10:01 0.5 0.5 0.5 0.5, 1 in 1, 0.5 0.6',
      '21T10:02 0.5 0.5 0.5 0.5, 0 in 0, 0.5 0.6',
      '21T10:03 0.5 0.5 0.5 0.5, 0 in 0, 0.5 0.6',
      '21T10:04 0.5 0.5 0.5 0.5, 0 in 0, 0.1 0.6',
      '21T10:05 0.5 0.5 0.5 0.5, 0 in 0, 0.1 0.6',
      '21T10:06 0.5 0.5 0.5 0.5, 0 in 0, 0.1 0.6',
      '21T10:07 0.6 0.6 0.6 0.6, 2 in 1, null null',
      '21T10:08 0.6 0.6 0.6 0.6, 0 in 0, null null',
      '21T10:09 0.6 0.6 0.6 0.6, 0 in 0, null null',
      '21T10:10 0.6 0.6 0.6 0.6, 0 in 0, null null',
      '21T10:11 0.6 0.6 0.6 0.6, 0 in 0, null null',
      '21T10:12 0.6 0.6 0.6 0.6, 0 in 0, null null',
    ]);
  });

  it('show longer periods, cut at their multiples since 1970', async () => {
    expect(await lines('/api/markets/c/candles?period=5')).to.deep.equal([
      '21T10:00 0.5 0.6 0.5 0.5, 8 in 4, 0.1 0.6',
      '21T10:05 0.6 0.6 0.6 0.6, 2 in 1, null null',
      '21T10:10 0.6 0.6 0.6 0.6, 0 in 0, null null',
    ]);
    expect(await lines('/api/markets/c/candles?period=15')).to.deep.equal([
      '21T10:00 0.5 0.6 0.5 0.6, 10 in 5, null null',
    ]);
    expect(await lines('/api/markets/c/candles?period=60')).to.deep.equal([
      '21T10:00 0.5 0.6 0.5 0.6, 10 in 5, null null',
    ]);
    expect(await lines('/api/markets/c/candles?period=1440')).to.deep.equal([
      '21T00:00 0.5 0.6 0.5 0.6, 10 in 5, null null',
    ]);
  });

  it('end with the settlement, and are none of a market that never traded', async () => {
    expect(await lines('/api/markets/v/candles?period=1')).to.deep.equal([
      '21T10:07 0.55 0.55 0.55 0.55, 2 in 1, null null',
      '21T10:08 0.55 0.55 0.55 0.55, 0 in 0, null null',
      '21T10:09 0.55 0.55 0.55 0.55, 0 in 0, null null',
    ]);
    const { body, next } = await page('/api/markets/quiet/candles?period=60');
    expect(body).to.deep.equal({ marketId: 'quiet', period: 60, candles: [] });
    expect(next).to.equal(null);
  });

  it('come between times', async () => {
    const from = '2026-11-21T10:02:00Z';
    const starts = async (query: string) =>
      (await page(`/api/markets/c/candles?period=1&${query}`)).body.candles.map(({ start }) => start.slice(11, 16));
    expect(await starts(`from=${from}&to=2026-11-21T10:04:00Z`)).to.deep.equal(['10:02', '10:03']);
    expect(await starts(`from=${from}&to=2026-11-21T10:04:00.001Z`)).to.deep.equal(['10:02', '10:03', '10:04']);
    expect(await starts('from=2026-11-21T10:10:00.5Z')).to.deep.equal(['10:11', '10:12']);
    expect(await starts('to=2026-11-21T10:01:00Z')).to.deep.equal(['10:00']);
    expect(await starts(`from=${from}&to=${from}`)).to.deep.equal([]);
    expect(await starts('from=0000-01-01T00:00:00Z&to=1969-12-31T00:00:00Z')).to.deep.equal([]);
    expect(await starts('from=9999-12-31T23:59:59Z')).to.deep.equal([]);
  });

  it('come by pages, which follow from one to the next', async () => {
    const whole = await page('/api/markets/c/candles?period=1&limit=9999999');
    expect(whole.next).to.equal(null);
    const found: unknown[] = [];
    let pages = 0;
    for (
      let next: string | null = '/api/markets/c/candles?period=1&from=2026-11-21T10:01:00Z&limit=4';
      next !== null;
    ) {
      const one = await page(next);
      expect(one.body.candles.length).to.equal(4);
      found.push(...one.body.candles);
      pages += 1;
      ({ next } = one);
    }
    expect(pages).to.equal(3);
    expect(found).to.deep.equal(whole.body.candles.slice(1));
  });

  it('refuse other periods, times, limits and cursors, and unknown markets', async () => {
    const refusal = async (path: string) => {
      const { status, body } = await get(harness, 'ann', path);
      const { code, error } = body as { readonly code: string; readonly error: string };
      return { status, code, error };
    };
    for (const query of ['', 'period=', 'period=2', 'period=01', 'period=1m', 'period=1&period=1', 'period=5.0']) {
      expect(await refusal(`/api/markets/c/candles?${query}`), query).to.deep.include({
        status: 400,
        code: 'validation_failed',
      });
    }
    expect((await refusal('/api/markets/c/candles')).error).to.equal(
      'validation failure: period: must be 1 or 5 or 15 or 60 or 1440',
    );
    for (const more of ['from=2026-11-21', 'to=2026-02-30T00:00:00Z', 'from=1', 'limit=0', 'limit=x', 'cursor=x']) {
      expect(await refusal(`/api/markets/c/candles?period=1&${more}`), more).to.deep.include({ status: 400 });
    }
    const { next } = await page('/api/markets/c/candles?period=1&limit=4');
    const cursor = new URLSearchParams(next?.split('?')[1]).get('cursor') ?? '';
    expect((await page(`/api/markets/c/candles?period=1&cursor=${cursor}`)).body.candles.length).to.equal(9);
    for (const other of ['c/candles?period=5', 'c/candles?period=1&to=2026-11-21T10:04:00Z', 'v/candles?period=1']) {
      expect(await refusal(`/api/markets/${other}&cursor=${cursor}`), other).to.deep.include({ status: 400 });
    }
    expect(await refusal('/api/markets/nowhere/candles?period=1')).to.deep.include({
      status: 404,
      code: 'market_not_found',
    });
  });
});
