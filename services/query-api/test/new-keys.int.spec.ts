import { endpoints } from '@paper/contracts';
import type { Endpoint } from '@paper/contracts';
import { FRESHNESS_TIMEOUT_MS } from '@paper/read-models';
import { base, keyOf, listMarket, openAccount } from '@paper/testkit';
import { expect } from 'chai';
import { keyHash, OPERATOR_TOKEN, rawKey } from './read-harness.ts';
import type { ReadHarness } from './read-harness.ts';
import { get, tradingHarness } from './trading-harness.ts';

/** Every read that needs a key, with valid path and query parameters. */
function keyedPaths(harness: ReadHarness): readonly string[] {
  return harness.routes
    .filter(({ endpoint }) => endpoint.kind === 'read' && (endpoint.auth === 'key' || endpoint.keyedBy !== null))
    .map(({ endpoint }) => pathOf(endpoint));
}

/** The reads of operators that depend on the read models. */
const OPERATOR_READS = ['markets', 'markets/m/holders', 'accounts', 'transfers'].map((path) => `/api/operator/${path}`);

/** Every public read that can call a market unknown, with that market. */
function listedPaths(harness: ReadHarness, marketId: string): readonly string[] {
  return harness.routes
    .filter(({ endpoint }) => endpoint.auth === 'public' && endpoint.errors.includes('market_not_found'))
    .map(({ endpoint: { id, path } }) => {
      const named = path.replace(/\{\w+\}/, marketId);
      return id === endpoints.getMarketCandles.id ? `${named}?period=1` : named;
    });
}

function pathOf({ keyedBy, path }: Endpoint): string {
  return path.replace(/\{\w+\}/, 'm') + (keyedBy === null ? '' : `?${keyedBy}=2`);
}

for (const [wiring, polls] of [
  ['in the process of its projector', false],
  ['in a service of its own', true],
] as const) {
  describe(`keys while the projection is behind, ${wiring}`, function () {
    this.timeout(60_000);
    let harness: ReadHarness;

    before(async () => {
      harness = await tradingHarness({ polls });
      await harness.submit(openAccount('gone', { keyHash: keyHash('gone') }));
      await harness.projected();
    });
    after(() => harness.close());

    const statuses = async (who: string): Promise<readonly (readonly [string, number])[]> =>
      Promise.all(keyedPaths(harness).map(async (path) => [path, (await get(harness, who, path)).status] as const));
    const all = (status: number) => keyedPaths(harness).map((path) => [path, status] as const);

    it('a key that was just issued is 503 on every read, never 401; a revoked one is not let in either', async () => {
      expect(keyedPaths(harness)).to.include(endpoints.listMarketSignals.path).and.to.have.length.greaterThan(9);
      expect((await statuses('gone')).map(([, status]) => status)).not.to.include(401);
      await harness.heldUp(async () => {
        await harness.submit(openAccount('new', { keyHash: keyHash('new') }));
        await harness.submit({ ...base(keyOf('gone'), 'revoke'), type: 'RevokeApiKey', keyId: 'gone-key' });
        const began = performance.now();
        const [issued, revoked, unknown] = await Promise.all(['new', 'gone', 'nobody'].map(statuses));
        expect(performance.now() - began).to.be.greaterThan(FRESHNESS_TIMEOUT_MS - 10);
        expect(issued, 'just issued').to.deep.equal(all(503));
        expect(revoked, 'just revoked').to.deep.equal(all(503));
        expect(unknown, "nobody's").to.deep.equal(all(503));
      });
      await harness.projected();
      expect((await statuses('new')).map(([, status]) => status)).not.to.include(401);
      expect(await statuses('gone'), 'revoked').to.deep.equal(all(401));
      expect(await statuses('nobody'), "nobody's").to.deep.equal(all(401));
    });

    it('a public read with a key waits too, and one without a key where it would call a market unknown', async () => {
      const own = ['/api/markets', '/api/markets/m', '/api/markets/m/events', '/api/orderbook/m', '/api/trades/recent'];
      for (const path of own) expect((await fetch(harness.url + path)).status, path).to.equal(200);
      const asked = async (paths: readonly string[], headers: Record<string, string>) =>
        Promise.all(paths.map(async (path) => (await fetch(harness.url + path, { headers })).status));
      await harness.heldUp(async () => {
        await harness.submit(listMarket('listed'));
        const listed = listedPaths(harness, 'listed');
        expect(listed).to.have.length(5);
        const results = await Promise.all([
          asked(own, {}),
          asked(['/api/health', '/api/openapi', '/api/journal'], { 'x-api-key': rawKey('ann') }),
          asked(own, { 'x-api-key': rawKey('ann') }),
          asked(own, { 'x-api-key': rawKey('nobody') }),
          asked(own, { authorization: `Bearer ${OPERATOR_TOKEN}` }),
          asked(listed, {}),
          asked(OPERATOR_READS, { authorization: `Bearer ${OPERATOR_TOKEN}` }),
          asked(['/api/operator/rebuild'], { authorization: `Bearer ${OPERATOR_TOKEN}` }),
        ]);
        const counts = results.map((statuses) => [...new Set(statuses)]);
        expect(counts).to.deep.equal([[200], [200], [503], [503], [503], [503], [503], [200]]);
      });
      await harness.submit(listMarket('later'));
      expect(await asked(listedPaths(harness, 'later'), {})).to.deep.equal([200, 200, 200, 200, 200]);
      expect(await asked(listedPaths(harness, 'never'), {})).to.deep.equal([404, 404, 404, 404, 404]);
    });
  });
}
