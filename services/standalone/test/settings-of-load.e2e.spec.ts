import { eventually } from '@paper/testkit';
import { startStandalone } from '@paper/testkit/exchange';
import type { RunningStandalone } from '@paper/testkit/exchange';
import { expect } from 'chai';
import { createClient, createOperatorClient, sendApiRequest } from 'paper-trading-client';

describe('the settings that bound what a standalone keeps', function () {
  this.timeout(180_000);
  let service: RunningStandalone;
  before(async () => {
    const env = { DEMO: 'on', HOUSE_BOTS: 'on', RATE_LIMITS: 'on', DAY_COMMANDS: '2' };
    service = await startStandalone({ env: { ...env, IDEMPOTENCY_ENTRIES: '100000000' } });
  });
  after(() => service.stop());

  it('DAY_COMMANDS ends the day of an account, and not that of the house', async () => {
    const { baseUrl, operatorToken } = service;
    const key = service.demo?.apiKey ?? '';
    const [market] = await createClient({ baseUrl })
      .request('listMarkets', {})
      .then(({ body }) => body);
    const place = async () => {
      const body = { marketId: market?.id ?? '', outcome: 'yes', price: 0.01, quantity: 1 };
      return (await sendApiRequest(baseUrl, { method: 'POST', path: '/api/orders', key, body })).status;
    };
    expect([await place(), await place(), await place()]).to.deep.equal([200, 200, 429]);
    const operator = createOperatorClient({ baseUrl, key: operatorToken });
    await eventually('the house has sent more', async () => {
      const { fleets } = await operator.fetchUsage();
      return fleets.some(({ commands }) => commands > 2);
    });
    const own = (await operator.fetchUsage()).fleets.find(
      ({ primaryAccountId }) => primaryAccountId === service.demo?.accountId,
    );
    expect(own?.commands).to.equal(2);
  });

  it('IDEMPOTENCY_ENTRIES is recorded with the epoch, and warns of the memory that it may take', async () => {
    expect(service.output()).to.include('IDEMPOTENCY_ENTRIES is 100000000: they may take 70000 MB');
    const page = await fetch(`${service.baseUrl}/api/journal?from=1&limit=1`);
    expect(await page.text()).to.include('idempotencyEntries\\":100000000');
  });
});
