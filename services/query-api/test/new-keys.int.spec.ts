import { endpoints, type Endpoint } from '@paper/contracts';
import { FRESHNESS_TIMEOUT_MS } from '@paper/read-models';
import { base, keyOf, openAccount } from '@paper/testkit/scenario';
import { expect } from 'chai';
import { keyHash, rawKey, type ReadDesk } from './read-desk.ts';
import { get, tradingDesk } from './trading-desk.ts';

/** Every read that needs a key, with what its path and query name. */
function keyedPaths(desk: ReadDesk): readonly string[] {
  return desk.routes
    .filter(({ endpoint }) => endpoint.kind === 'read' && (endpoint.auth === 'key' || endpoint.keyedBy !== null))
    .map(({ endpoint }) => pathOf(endpoint));
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
    let desk: ReadDesk;

    before(async () => {
      desk = await tradingDesk({ polls });
      await desk.submit(openAccount('gone', { keyHash: keyHash('gone') }));
      await desk.projected();
    });
    after(() => desk.close());

    const statuses = async (who: string): Promise<readonly (readonly [string, number])[]> =>
      Promise.all(keyedPaths(desk).map(async (path) => [path, (await get(desk, who, path)).status] as const));
    const all = (status: number) => keyedPaths(desk).map((path) => [path, status] as const);

    it('a key that was just issued is 503 on every read, never 401; a revoked one is not let in either', async () => {
      expect(keyedPaths(desk)).to.include(endpoints.listMarketSignals.path).and.to.have.length.greaterThan(9);
      expect((await statuses('gone')).map(([, status]) => status)).not.to.include(401);
      await desk.heldUp(async () => {
        await desk.submit(openAccount('new', { keyHash: keyHash('new') }));
        await desk.submit({ ...base(keyOf('gone'), 'revoke'), type: 'RevokeApiKey', keyId: 'gone-key' });
        const began = performance.now();
        const [issued, revoked, unknown] = await Promise.all(['new', 'gone', 'nobody'].map(statuses));
        expect(performance.now() - began).to.be.greaterThan(FRESHNESS_TIMEOUT_MS - 10);
        expect(issued, 'just issued').to.deep.equal(all(503));
        expect(revoked, 'just revoked').to.deep.equal(all(503));
        expect(unknown, "nobody's").to.deep.equal(all(503));
        // What needs no key waits for none.
        const markets = await fetch(`${desk.url}/api/markets`, { headers: { 'x-api-key': rawKey('new') } });
        expect(markets.status).to.equal(200);
      });
      await desk.projected();
      expect((await statuses('new')).map(([, status]) => status)).not.to.include(401);
      expect(await statuses('gone'), 'revoked').to.deep.equal(all(401));
      expect(await statuses('nobody'), "nobody's").to.deep.equal(all(401));
    });
  });
}
