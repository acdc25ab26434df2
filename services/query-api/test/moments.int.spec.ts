import { orderFrom } from '@paper/testkit';
import { expect } from 'chai';
import type { ReadHarness } from './read-harness.ts';
import { get, trade, tradingHarness } from './trading-harness.ts';

interface Moment {
  readonly seq: number;
  readonly at: string;
  readonly probability: number;
}

/** Before the market m closes, and a second apart. */
const START_MS = 1_100_000;

describe('moments of a market', function () {
  this.timeout(60_000);
  let harness: ReadHarness;

  before(async () => {
    harness = await tradingHarness();
    const quotes = Array.from({ length: 30 }, (_, n) => ({
      ...orderFrom(`q${n} ann buy yes 1 @ ${(0.11 + n / 100).toFixed(2)}`),
      at: START_MS + 1000 * n,
    }));
    await trade(harness, { ...orderFrom('ask bob buy no 1 @ 0.58'), at: START_MS }, ...quotes);
  });
  after(() => harness.close());

  const ask = async (query: string) => {
    const { status, body } = await get(harness, 'ann', `/api/markets/m/moments${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return (body as { readonly moments: readonly Moment[] }).moments;
  };
  const refusal = async (path: string) => {
    const { status, body } = await get(harness, 'ann', path);
    const { code, error } = body as { readonly code: string; readonly error: string };
    return [status, code, error];
  };
  const time = (ms: number): string => new Date(ms).toISOString();

  it('tell what the probability was, and when', async () => {
    const all = await ask('');
    // The listing, the ask and 30 bids.
    expect(all).to.have.length(32);
    expect(all.map(({ seq }) => seq)).to.deep.equal(all.map(({ seq }) => seq).sort((a, b) => a - b));
    // From a spread of ten cents on it is the midpoint: (0.40 + 0.42) / 2 at last.
    expect(all[0]).to.deep.include({ at: '1970-01-01T00:16:40.000Z', probability: 0.5 });
    expect(all.at(-1)).to.deep.include({ at: time(START_MS + 29_000), probability: 0.41 });
    for (const { seq, probability } of all.slice(-3)) {
      const { body } = await get(harness, 'ann', `/api/orderbook/m?asOfSeq=${seq}`);
      const { bestYesBid, bestYesAsk } = body as { readonly bestYesBid: number; readonly bestYesAsk: number };
      expect(probability).to.be.closeTo((bestYesBid + bestYesAsk) / 2, 1e-9);
    }
  });

  it('are thinned evenly, with the first and the last of the range', async () => {
    const all = await ask('');
    expect(await ask('?points=500')).to.deep.equal(all);
    expect(await ask('?points=100000')).to.deep.equal(all);
    expect(await ask('?points=2')).to.deep.equal([all[0], all[31]]);
    expect(await ask('?points=1')).to.deep.equal([all[31]]);
    expect(await ask('?points=4')).to.deep.equal([all[0], all[10], all[21], all[31]]);
    const range = `?from=${time(START_MS + 5000)}&to=${time(START_MS + 9000)}`;
    expect(await ask(range)).to.deep.equal(all.slice(7, 11));
    expect(await ask(`${range}&points=2`)).to.deep.equal([all[7], all[10]]);
    expect(await ask(`?from=${time(START_MS + 30_000)}`)).to.deep.equal([]);
    expect(await ask('?to=0001-01-01T00:00:00Z')).to.deep.equal([]);
    expect(await ask(`?from=${time(START_MS)}&to=${time(START_MS)}`)).to.deep.equal([]);
    expect(await ask('?from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z')).to.deep.equal(all);
  });

  it('are refused for an unknown market, and for what is no time or number', async () => {
    expect(await refusal('/api/markets/x/moments')).to.deep.equal([404, 'market_not_found', 'No market has the id x']);
    for (const [name, values] of [
      ['from', ['', '2026-02-30T00:00:00Z', '2026-01-01', '1100000']],
      ['to', ['', 'now', '2026-01-01T00:00:00+00:00']],
      ['points', ['', '0', '-1', '1.5', 'ten', '1e2']],
    ] as const) {
      for (const value of values) {
        const [status, code, error] = await refusal(`/api/markets/m/moments?${name}=${encodeURIComponent(value)}`);
        expect([status, code], `${name}=${value}`).to.deep.equal([400, 'validation_failed']);
        expect(error).to.match(new RegExp(`^validation failure: ${name}: `));
      }
    }
  });
});
