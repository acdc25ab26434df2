import { expect } from 'chai';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { IS_LONG_RUN } from '@paper/testkit';
import { describeSharedExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { badBytes, badRequests, createCheckedClient, lastAnswer, sendBadRequest, sendBytes } from '@paper/testkit/http';
import type { BadRequestTarget, CheckedClient } from '@paper/testkit/http';

const SEED = 20261121;
const REQUESTS_PER_ENDPOINT = IS_LONG_RUN ? 220 : 60;
const CONNECTIONS = 16;

/** Sends wrong input of every kind to every endpoint with a body: the documented refusal comes, and nothing changes. */
describeSharedExchange('bad input to the real service', function (start) {
  this.timeout(120_000);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let service: RunningExchange;
  let client: CheckedClient;
  let targets: readonly BadRequestTarget[];
  let key: string;

  before(async () => {
    service = await start();
    client = await createCheckedClient(service.baseUrl);
    const operator = service.operatorToken;
    const listing = {
      title: 'Will it break?',
      ticker: 'BRK',
      companySlug: 'break',
      sector: 'technology',
      category: 'tests',
      settlementSource: 'tests',
      prior: 0.4,
      closesAt: '2099-01-01T00:00:00.000Z',
    };
    await client.ok('POST', '/api/operator/markets', { key: operator, body: { id: 'target', ...listing } });
    const opened = await client.ok<{ account: { id: string }; apiKey: { rawKey: string } }>(
      'POST',
      '/api/operator/accounts',
      { key: operator, body: { displayName: 'Target' } },
    );
    key = opened.apiKey.rawKey;
    const sub = await client.ok<{ subAccount: { id: string } }>('POST', '/api/accounts/sub', {
      key,
      body: { displayName: 'Target sub' },
    });

    const small = { maxBodyBytes: 64 * 1024 };
    const asKey = { method: 'POST', key, ...small, idempotent: true } as const;
    const asOperator = { method: 'POST', key: operator, ...small, idempotent: false } as const;
    targets = [
      {
        ...asKey,
        path: '/api/orders',
        sample: { marketId: 'target', outcome: 'yes', side: 'buy', price: 0.4, quantity: 5 },
        required: ['marketId', 'outcome', 'price', 'quantity'],
        refused: [
          { field: 'price', value: 0 },
          { field: 'price', value: 1 },
          { field: 'price', value: -0.4 },
          { field: 'quantity', value: 501 },
          { field: 'quantity', value: 0 },
          { field: 'quantity', value: 1.5 },
          { field: 'side', value: 'BUY' },
          { field: 'outcome', value: 'maybe' },
        ],
      },
      {
        ...asKey,
        path: '/api/accounts/sub',
        sample: { displayName: 'Another', permissions: ['view'] },
        required: ['displayName'],
        refused: [
          { field: 'displayName', value: 'x' },
          { field: 'displayName', value: 'x'.repeat(25) },
          { field: 'permissions', value: ['admin'] },
        ],
      },
      {
        ...asKey,
        path: `/api/accounts/sub/${sub.subAccount.id}/keys`,
        sample: { name: 'spare', permissions: ['view'] },
        required: ['name', 'permissions'],
        refused: [
          { field: 'name', value: '' },
          { field: 'name', value: 'n'.repeat(41) },
          { field: 'permissions', value: [] },
        ],
      },
      {
        ...asOperator,
        path: '/api/operator/markets',
        sample: { id: 'never', ...listing },
        required: Object.keys(listing),
        refused: [
          { field: 'id', value: 'signals' },
          { field: 'id', value: '../etc' },
          { field: 'prior', value: 0.995 },
          { field: 'closesAt', value: 'tomorrow' },
          { field: 'title', value: 't'.repeat(301) },
          { field: 'tickSize', value: 0.05 },
        ],
      },
      {
        ...asOperator,
        method: 'PATCH',
        path: '/api/operator/markets/target',
        sample: { title: 'New title', companyImpact: 0.5 },
        required: [],
        refused: [{ field: 'companyImpact', value: 1.5 }],
      },
      {
        ...asOperator,
        path: '/api/operator/markets/target/resolve',
        sample: { outcome: 'yes', headline: 'It broke' },
        required: ['outcome'],
        refused: [{ field: 'outcome', value: 'void' }],
      },
      {
        ...asOperator,
        path: '/api/operator/markets/target/void',
        sample: { reason: 'a test', price: 0.5 },
        required: ['reason', 'price'],
        refused: [{ field: 'price', value: 1.01 }],
      },
      {
        ...asOperator,
        path: '/api/operator/signals',
        sample: {
          externalId: 'x1',
          source: 'tests',
          headline: 'News',
          citationUrl: 'https://example.com/news',
          publishedAt: '2026-11-21T00:00:00.000Z',
          fairProb: 0.5,
        },
        required: ['externalId', 'source', 'headline', 'citationUrl', 'publishedAt'],
        refused: [{ field: 'fairProb', value: 1.2 }],
      },
      {
        ...asOperator,
        idempotent: true,
        path: '/api/operator/accounts',
        sample: { displayName: 'Nobody', startingBalance: 100 },
        required: ['displayName'],
        refused: [{ field: 'startingBalance', value: 0 }],
      },
      {
        ...asOperator,
        path: `/api/operator/accounts/${opened.account.id}/keys`,
        sample: { name: 'spare', permissions: ['view'] },
        required: ['name', 'permissions'],
        refused: [{ field: 'permissions', value: [] }],
      },
    ];
  });

  after(async () => {
    agent.destroy();
    await service.stop();
  });

  const journalSeq = async (): Promise<number> =>
    (await client.ok<{ journalSeq: number }>('GET', '/api/operator/status', { key: service.operatorToken })).journalSeq;

  it(`refuses ${10 * REQUESTS_PER_ENDPOINT} generated requests as documented, and appends nothing`, async () => {
    const before = await journalSeq();
    let sent = 0;
    for (const [index, target] of targets.entries()) {
      const requests = badRequests(SEED + index, target);
      const worker = async (count: number): Promise<void> => {
        for (let i = 0; i < count; i += 1) {
          const bad = requests.next().value;
          const answer = await sendBadRequest(service.baseUrl, bad, agent);
          const told = `${bad.name} to ${target.path} (seed ${SEED + index}): ${JSON.stringify(answer)}`;
          expect(answer.status, told).to.equal(bad.status);
          const body = answer.body as Record<string, unknown>;
          expect(Object.keys(body).sort(), told).to.deep.equal(['code', 'error']);
          expect(body['code'], told).to.equal(bad.code);
          sent += 1;
        }
      };
      const each = Math.ceil(REQUESTS_PER_ENDPOINT / CONNECTIONS);
      await Promise.all(Array.from({ length: CONNECTIONS }, () => worker(each)));
    }
    expect(sent).to.be.at.least(targets.length * REQUESTS_PER_ENDPOINT);
    expect(await journalSeq()).to.equal(before);
  });

  it('survives bytes that are no HTTP request', async () => {
    const bytes = badBytes(SEED, '/api/orders');
    for (let i = 0; i < 60; i += 1) {
      const bad = bytes.next().value;
      const answer = lastAnswer(await sendBytes(service.baseUrl, bad.bytes, { half: true }));
      // A front door may ignore the length and use the chunks (RFC 9112, 6.1); then the missing key is refused.
      const allowed = bad.name === 'a length and chunks' ? [bad.status, 401] : [bad.status];
      expect(answer.status, bad.name).to.be.oneOf(allowed);
    }
    // Health is updated once a second, and its last value may be from a moment in which the machine was busy.
    while ((await client.ok<{ status: string }>('GET', '/api/health')).status !== 'ok') await sleep(50);
  });

  it('takes an order after all that', async () => {
    const body = { marketId: 'target', outcome: 'yes', price: 0.4, quantity: 5 };
    expect(await client.ok('POST', '/api/orders', { key, body })).to.include({ status: 'open' });
  });
});
