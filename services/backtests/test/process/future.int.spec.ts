import { expect } from 'chai';
import { endpoints } from '@paper/contracts';
import { createRandom, IS_LONG_RUN } from '@paper/testkit';
import { at, buy, runBacktest, TAPE } from './running-backtest.ts';

/** All of them by `LONG_TESTS=1`. */
const REQUESTS = IS_LONG_RUN ? 100_000 : 300;
const SEED = 7;
/** The hour of the tape is not over before the requests are. */
const STEP_MS = Math.floor(3_000_000 / REQUESTS);
/** Times that a market's listing names in advance. */
const ANNOUNCED = /"(?:closesAt|settlesAt)\\*":\\*"[^"]*"/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** The reads of a participant, with values for what they take. */
const READS = Object.values(endpoints).filter(
  ({ auth, kind, method, path }) =>
    auth !== 'operator' && kind === 'read' && method === 'get' && !/stream|backtests|tapes|openapi|health/.test(path),
);

describe('the reads of a backtest', function () {
  this.timeout(7_200_000);

  it(`show nothing that is later than the clock, in ${REQUESTS} requests by seed ${SEED}`, async () => {
    const random = createRandom(SEED);
    const backtest = await runBacktest();
    const [account = ''] = backtest.accounts;
    const ids = { orders: [''], accounts: [account, 'none'] };
    const { body: clock } = await backtest.call(0, 'GET', '/api/clock');
    let [nowMs, seq, timesRead] = [Date.parse(String(clock['now'])), 1, 0];
    const shown = new Set<string>();
    const valueOf = (path: string, name: string): string => {
      if (name === 'marketId' || path.includes('/markets/')) return TAPE;
      return random.pick(path.includes('order') ? ids.orders : ids.accounts) || 'none';
    };
    const ofFuture = (): string => new Date(nowMs + random.int(1, 3_600_000)).toISOString();
    const queries = (): readonly string[] => [
      '',
      `limit=${random.int(1, 200)}`,
      `asOfSeq=${random.int(1, seq + 50)}`,
      `from=${random.int(1, seq + 50)}`,
      `to=${ofFuture()}`,
      `from=${ofFuture()}`,
      `from=${at(0)}&to=${ofFuture()}&interval=1m`,
      `marketId=${TAPE}&limit=50`,
      `marketId=${TAPE}&to=${ofFuture()}`,
    ];
    try {
      for (let sent = 0; sent < REQUESTS; sent += 1) {
        if (random.int(0, 3) === 0) {
          const wake = random.pick([[], ['book'], ['trades'], ['account']] as const);
          const until = new Date(nowMs + random.int(1, STEP_MS)).toISOString();
          const { body } = await backtest.call(0, 'POST', '/api/clock/advance', { until, wake });
          nowMs = Date.parse(String(body['now']));
          expect(nowMs).to.be.at.most(Date.parse(until));
          continue;
        }
        if (random.int(0, 9) === 0) {
          const { body } = await backtest.call(0, 'POST', '/api/orders', buy(1));
          if (typeof body['id'] === 'string') ids.orders.push(body['id']);
        }
        const { path } = random.pick(READS);
        const target = `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(path, name))}?${random.pick(queries())}`;
        const answer = await backtest.call(0, 'GET', target);
        const text = JSON.stringify(answer.body).replaceAll(ANNOUNCED, '');
        expect(Date.parse(String(answer.headers['x-time'])), target).to.equal(nowMs);
        seq = Math.max(seq, Number(answer.headers['x-journal-seq'] ?? 0));
        if (answer.status !== 200) continue;
        shown.add(path);
        for (const [time] of text.matchAll(TIME)) {
          timesRead += 1;
          expect(Date.parse(time), `${target}: ${time}`).to.be.at.most(nowMs);
        }
      }
      // Every kind of read was answered, but those that need what this participant has not.
      expect([...shown]).to.include.members([
        '/api/markets',
        '/api/orderbook/{marketId}',
        '/api/journal',
        '/api/trades',
      ]);
      expect(timesRead).to.be.greaterThan(REQUESTS);
    } finally {
      await backtest.stop();
    }
  });
});
