import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@paper/testkit';
import type { CheckedClient, OperatorClient } from '@paper/testkit/http';

export interface LivedMarketOptions {
  readonly client: CheckedClient;
  readonly operator: OperatorClient;
  readonly operatorToken: string;
  /** Called after some of the steps, with the number of the call: for others who trade meanwhile. */
  readonly meanwhile: (turn: number) => Promise<void>;
  /** How often the price moves. */
  readonly steps: number;
  /** The time from one step to the next, in ms. */
  readonly everyMs: number;
}

/** The market that the pictures show. */
export const LIVED = { id: 'orbital-launches-2027', title: 'Will there be more than 300 orbital launches in 2027?' };

const NEWS = [
  ['A fourth launch pad is licensed for next spring', 'Launch Gazette (invented)'],
  ['The first quarter ends with 61 launches, two fewer than a year before', 'Orbit Ledger (invented)'],
  ['A maker of small rockets delays its first flight to 2028', 'Launch Gazette (invented)'],
  ['Two companies agree on forty more launches a year', 'Orbit Ledger (invented)'],
] as const;
const LEVELS = 7;
const SEED = 16;
const MEANWHILE_EVERY = 40;

/** Lists a market and plays its past by the public API: quotes that move, trades on both sides, and news. */
export async function playMarket(options: LivedMarketOptions): Promise<void> {
  const { client, everyMs, meanwhile, operator, operatorToken, steps } = options;
  await operator.list(LIVED.id, {
    title: LIVED.title,
    ticker: 'ORBIT',
    companySlug: 'launches',
    sector: 'aerospace',
    settlementSource: 'the public catalogue of launches',
    citationUrl: 'https://catalogue.example/launches',
    description:
      'Yes if the public catalogue lists more than 300 orbital launches with a date in 2027. A made-up question, in simulated money.',
    closesAt: '2028-01-31T23:59:00.000Z',
    prior: 0.45,
  });
  const balance = { startingBalance: 250_000 };
  const maker = await operator.open('House of Quotes', balance);
  const takers = [await operator.open('Vega', balance), await operator.open('Rigel', balance)];
  const random = createRandom(SEED);
  let cents = 45;
  for (let step = 0; step < steps; step += 1) {
    // A walk that is drawn back to where both sides have room.
    const drawn = random.chance(0.3) ? Math.sign(56 - cents) : 0;
    cents = Math.max(20, Math.min(80, cents + drawn + random.pick([-2, -1, -1, 0, 1, 1, 2])));
    await quote(client, maker.key, cents, () => random.int(4, 90));
    const taker = random.pick(takers);
    if (random.chance(0.6)) {
      const outcome = random.chance(0.55) ? 'yes' : 'no';
      const body = {
        marketId: LIVED.id,
        orderType: 'market',
        timeInForce: 'IOC',
        outcome,
        quantity: random.int(2, 60),
      };
      await client.ok('POST', '/api/orders', { key: taker.key, body });
    }
    const news = NEWS[(step + 1) / Math.floor(steps / NEWS.length) - 1];
    if (news !== undefined) await publishNews(client, operatorToken, news, cents / 100);
    if (step % MEANWHILE_EVERY === MEANWHILE_EVERY - 1) await meanwhile(Math.floor(step / MEANWHILE_EVERY));
    await sleep(everyMs);
  }
}

/** Replaces the maker's quotes: a ladder around the price on both sides. */
async function quote(client: CheckedClient, key: string, cents: number, size: () => number): Promise<void> {
  await client.ok('DELETE', `/api/orders?marketId=${LIVED.id}`, { key });
  const orders = Array.from({ length: LEVELS }, (_, n) => n + 1).flatMap((away) => [
    { marketId: LIVED.id, outcome: 'yes', price: (cents - away) / 100, quantity: size() },
    { marketId: LIVED.id, outcome: 'no', price: (100 - cents - away) / 100, quantity: size() },
  ]);
  await client.ok('POST', '/api/orders/batch', { key, body: { orders } });
}

async function publishNews(
  client: CheckedClient,
  key: string,
  [headline, source]: readonly [string, string],
  fairProb: number,
): Promise<void> {
  await client.ok('POST', '/api/operator/signals', {
    key,
    body: {
      externalId: headline,
      source,
      marketId: LIVED.id,
      headline,
      citationUrl: 'https://news.example/launches',
      publishedAt: new Date().toISOString(),
      fairProb,
    },
  });
}
