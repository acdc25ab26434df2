import { Unavailable } from '@paper/contracts';
import { storedBytes } from '@paper/journal';
import { FakeClock } from '@paper/testkit';
import { expect } from 'chai';
import { codesIn, order, refusal, TradingFloor } from './trading-floor.ts';

const USAGE = '/api/operator/usage';
const DAY_MS = 24 * 60 * 60 * 1_000;

describe('the day of a fleet', () => {
  let floor: TradingFloor;
  let clock: FakeClock;
  beforeEach(async () => {
    clock = new FakeClock();
    const operators = [{ name: 'lister', token: 'a-token-for-markets-alone', scopes: ['markets'] as const }];
    // Ada's fleet has used one command: that which opened her sub-account.
    floor = await TradingFloor.open({ clock, dayLimit: { commands: 3, isExempt: () => false }, operators });
  });
  afterEach(() => floor.close());

  const usage = (query = '') => floor.harness.operate('GET', `${USAGE}${query}`);

  it('is full after the limit: 429 until the next UTC day, with Retry-After; cancelling goes on', async () => {
    const { ada, sub, bob } = floor;
    await floor.place(sub);
    const id = await floor.place(ada);
    const refused = await floor.send('POST', '/api/orders', sub, order());
    expect(refusal(refused)).to.deep.equal([429, 'rate_limited']);
    // The clock stands at 15:06:40 UTC.
    expect(refused.headers.get('retry-after')).to.equal('32000');
    expect(refused.body['error']).to.match(/^This fleet may send 3 commands a UTC day, and 0 are left today: /);
    expect((await floor.send('DELETE', `/api/orders/${id}`, ada)).body).to.deep.equal({ ok: true });
    await floor.place(bob);
    clock.advance(32_000_000);
    await floor.place(ada);
  });

  it('refuses a batch as a whole where it would pass the limit, and replays one', async () => {
    const { ada } = floor;
    expect(codesIn(await floor.batch(ada, [order(), order()], 'k'))).to.deep.equal(['ok', 'ok']);
    const before = floor.length;
    expect(refusal(await floor.batch(ada, [order()]))).to.deep.equal([429, 'rate_limited']);
    const again = await floor.batch(ada, [order(), order()], 'k');
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(refusal(await floor.batch(ada, [order(), order(), order()], 'k'))).to.deep.equal([429, 'rate_limited']);
    expect(floor.length).to.equal(before);
  });

  it('is shown to operators, by days', async () => {
    const { ada, bob } = floor;
    const start = floor.length;
    await floor.place(bob);
    await floor.place(bob);
    const bytes = floor.harness.log.events.slice(start).reduce((sum, event) => sum + storedBytes(event), 0);
    clock.advance(DAY_MS);
    await floor.place(ada);
    const today = await usage();
    expect(today.body['day']).to.equal('2025-06-16');
    expect(today.body['fleets']).to.have.lengthOf(1);
    const yesterday = await usage('?day=2025-06-15');
    expect(yesterday.headers.get('x-journal-seq')).to.equal(String(floor.length));
    const fleets = yesterday.body['fleets'] as readonly { readonly primaryAccountId: string }[];
    expect(fleets.map(({ primaryAccountId }) => primaryAccountId)).to.deep.equal([bob.accountId, ada.accountId]);
    expect(fleets[0]).to.deep.equal({ primaryAccountId: bob.accountId, commands: 2, events: 2, bytes });
    expect((await usage('?day=2025-06-01')).body).to.deep.equal({ day: '2025-06-01', fleets: [] });
  });

  it('is shown for 30 days, to a token without scopes alone', async () => {
    expect((await usage('?day=2025-05-17')).status).to.equal(200);
    for (const day of ['2025-05-16', '2025-06-16', '2025-02-29', 'today', '']) {
      expect(refusal(await usage(`?day=${day}`)), day).to.deep.equal([400, 'validation_failed']);
    }
    const as = (key?: string) => floor.harness.call('GET', USAGE, key === undefined ? {} : { key });
    expect(refusal(await as())).to.deep.equal([401, 'not_authenticated']);
    expect(refusal(await as(floor.ada.key))).to.deep.equal([403, 'forbidden']);
    expect(refusal(await as('a-token-for-markets-alone'))).to.deep.equal([403, 'forbidden']);
  });

  it('is shown once the read models have what it counts, since the answer names their sequence', async () => {
    await floor.close();
    let isBehind = true;
    const fresh = (seq: number): Promise<void> => {
      expect(seq).to.equal(floor.length);
      return isBehind ? Promise.reject(new Unavailable('behind')) : Promise.resolve();
    };
    floor = await TradingFloor.open({ clock, fresh });
    expect(refusal(await usage())).to.deep.equal([503, 'unavailable']);
    isBehind = false;
    expect((await usage()).status).to.equal(200);
  });

  it('is the same to the next process of the journal', async () => {
    await floor.place(floor.bob);
    const { body } = await usage();
    const { log, names } = floor.harness;
    await floor.close();
    floor = await TradingFloor.open({ clock, log, names });
    const fleets = (await usage()).body['fleets'] as readonly unknown[];
    expect(fleets).to.include.deep.members(body['fleets'] as unknown[]);
  });
});
