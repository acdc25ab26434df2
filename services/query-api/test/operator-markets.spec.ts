import { endpoints } from '@paper/contracts';
import type { Freshness, ReadModels } from '@paper/read-models';
import { expect } from 'chai';
import { setImmediate } from 'node:timers/promises';
import { marketRoutes } from '../src/market-routes.ts';
import { Paging } from '../src/paging/paging.ts';
import { LongReadTurns } from '../src/long-read-turns.ts';

describe("the operator's market list", () => {
  it('is fresh: it is read only once the projection has reached the journal', async () => {
    let reach = (): void => undefined;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    let reads = 0;
    const readModels = {
      read: () => {
        reads += 1;
        return Promise.resolve({ body: [], seq: 7 });
      },
    } as unknown as ReadModels;
    const freshness = { reached: () => reached } as unknown as Freshness;
    const routes = marketRoutes(
      readModels,
      freshness,
      new Paging(Promise.resolve(Buffer.alloc(32))),
      new LongReadTurns(readModels),
      Date.now,
      () => Promise.resolve(null),
    );
    const list = routes.find(({ endpoint }) => endpoint.id === endpoints.listMarketsByPhase.id);
    const input = { body: {}, idempotency: null, params: {}, query: {} };
    const answer = list?.handler({ kind: 'operator', name: 'ops', scopes: null }, input, {
      signal: new AbortController().signal,
      address: 'address:test',
    });
    await setImmediate();
    expect(reads).to.equal(0);
    reach();
    expect(await answer).to.deep.include({ seq: 7 });
    expect(reads).to.equal(1);
  });
});
