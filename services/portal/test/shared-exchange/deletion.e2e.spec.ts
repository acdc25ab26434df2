import { randomUUID } from 'node:crypto';
import { eventually } from '@paper/testkit';
import { describeSharedClientOfExchange } from '@paper/testkit/exchange';
import type { RunningExchange } from '@paper/testkit/exchange';
import { createCheckedClient, operatorClient } from '@paper/testkit/http';
import { expect } from 'chai';
import { startTestPortal } from '../support/test-portal.ts';
import type { TestPortal } from '../support/test-portal.ts';

describeSharedClientOfExchange('deletion of an account in the exchange', function (start) {
  this.timeout(60_000);
  let exchange: RunningExchange;
  let portal: TestPortal;

  before(async () => {
    exchange = await start();
    portal = await startTestPortal({ apiUrl: exchange.baseUrl, operatorToken: exchange.operatorToken });
  });
  after(async () => {
    await portal.stop();
    await exchange.stop();
  });

  const rankedNames = async (): Promise<readonly string[]> => {
    const answer = await fetch(`${exchange.baseUrl}/api/leaderboard?limit=500`);
    return ((await answer.json()) as { displayName: string }[]).map(({ displayName }) => displayName);
  };

  it('closes it with its keys, and forgets its name', async () => {
    const browser = portal.browser();
    await browser.expect(201, 'POST', '/portal/sign-up', {
      body: {
        signInName: 'leaver',
        displayName: 'Leaver of the tests',
        password: 'a passphrase of theirs',
        idempotencyKey: randomUUID(),
      },
    });
    const { apiKey } = await browser.expect<{ apiKey: { rawKey: string } }>(200, 'POST', '/portal/automation-key', {
      body: { name: 'bot' },
    });
    const asBot = () =>
      fetch(`${exchange.baseUrl}/api/portfolio`, { headers: { authorization: `Bearer ${apiKey.rawKey}` } });
    expect((await asBot()).status).to.equal(200);

    // It is ranked from its first trade on.
    const client = await createCheckedClient(exchange.baseUrl);
    const operator = operatorClient(client, exchange.operatorToken);
    await operator.list('left-behind');
    const order = { marketId: 'left-behind', price: 0.5, quantity: 1, side: 'buy' };
    await browser.expect(200, 'POST', '/portal/as/me/orders', { body: { ...order, outcome: 'yes' } });
    const { key } = await operator.open('Stays');
    await client.ok('POST', '/api/orders', { key, body: { ...order, outcome: 'no' } });
    await eventually('its rank', async () => (await rankedNames()).includes('Leaver of the tests'));

    await browser.expect(202, 'DELETE', '/portal/me');

    await eventually('the deletion is done', async () => {
      const people = await portal.db.selectFrom('people').select('id').where('sign_in_name', '=', 'leaver').execute();
      return people.length === 0;
    });
    expect((await asBot()).status).to.equal(401);
    await eventually('no rank of the name', async () => !(await rankedNames()).includes('Leaver of the tests'));
    const again = await browser.call('POST', '/portal/sign-in', {
      body: { name: 'leaver', password: 'a passphrase of theirs' },
    });
    expect(again.status).to.equal(401);
  });
});
