import { endpoints, publishedCost } from '@paper/contracts';
import { decode } from '@paper/journal';
import { base, keyOf } from '@paper/testkit';
import { expect } from 'chai';
import type { ReadHarness } from './read-harness.ts';
import { cancel, trade, tradingHarness } from './trading-harness.ts';

describe("the sequences of an order's events", function () {
  this.timeout(60_000);
  let harness: ReadHarness;

  before(async () => {
    harness = await tradingHarness();
    const change = (priceUnits: number | null, quantity: number | null, id: string) =>
      ({ ...base(keyOf('ann'), id), type: 'AmendOrder', orderId: 'a1', offTick: false, priceUnits, quantity }) as const;
    await trade(harness, 'a1 ann buy yes 10 @ 0.55', 'b1 bob buy no 2 @ 0.45', change(null, 9, 'less'));
    await trade(
      harness,
      'b2 bob buy no 1 @ 0.40',
      change(6_000, 8, 'more'),
      'b3 bob buy no 3 @ 0.40',
      cancel('ann', 'a1'),
    );
    await trade(
      harness,
      'f1 ann buy yes 1 @ 0.20',
      'f2 bob buy no 1 @ 0.80',
      'i1 ann buy yes 1 @ 0.01 IOC',
      'o1 sub buy no 1 @ 0.1',
    );
  });
  after(() => harness.close());

  const page = async (path: string) => {
    const { status, headers, body } = await harness.client.request('GET', path);
    expect(status, path).to.equal(200);
    const next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null;
    return { ...(body as { readonly seqs: readonly number[] }), next, headers };
  };
  /** As the journal itself has them. */
  const inJournal = (id: string): readonly number[] =>
    harness.log.events
      .filter((stored) => {
        const event = decode(stored).event as object as Record<string, unknown>;
        return [event['orderId'], event['makerOrderId'], event['takerOrderId']].includes(id);
      })
      .map(({ seq }) => seq);

  it('are all that the journal has of the order, ascending, for everybody', async () => {
    for (const id of ['a1', 'b1', 'b2', 'b3', 'f1', 'f2', 'i1', 'o1']) {
      const { seqs, next, headers } = await page(`/api/journal/orders/${id}`);
      expect(seqs, id).to.deep.equal(inJournal(id));
      expect(next).to.equal(null);
      expect(headers.get('x-journal-seq')).to.equal(String(harness.log.events.length));
    }
    expect(inJournal('a1')).to.have.length.above(6);
    expect(inJournal('o1')).to.have.length(1);
  });

  it('are cut into pages that together are the whole', async () => {
    for (const limit of [1, 2, 3, inJournal('a1').length]) {
      const found: number[] = [];
      let path: string | null = `/api/journal/orders/a1?limit=${limit}`;
      while (path !== null) {
        const { seqs, next } = await page(path);
        expect(seqs).to.have.length.within(1, limit);
        found.push(...seqs);
        path = next;
      }
      expect(found).to.deep.equal(inJournal('a1'));
    }
  });

  it('are refused for an unknown order, a forged cursor and a wrong limit', async () => {
    const refusal = async (path: string) => {
      const { status, body } = await harness.client.request('GET', path);
      const { code, error } = body as { readonly code: string; readonly error: string };
      return [status, code, error];
    };
    for (const id of ['none', 'A1', 'a1 ', "a1' or 1=1", 'ä', 'a'.repeat(300)]) {
      expect(await refusal(`/api/journal/orders/${encodeURIComponent(id)}`), id).to.deep.equal([
        404,
        'not_found',
        `No order has the id ${id}`,
      ]);
    }
    const { next } = await page('/api/journal/orders/a1?limit=1');
    const paths = [
      ...['0', '-1', '1.5', '', 'all'].map((limit) => `a1?limit=${limit}`),
      ...['forged', ''].map((cursor) => `a1?cursor=${cursor}`),
      '%00',
      (next ?? '').replace('/api/journal/orders/a1', 'b1'),
    ];
    for (const path of paths) {
      expect((await refusal(`/api/journal/orders/${path}`)).slice(0, 2), path).to.deep.equal([
        400,
        'validation_failed',
      ]);
    }
  });

  it('cost as many units as their limit asks for', () => {
    const cost = endpoints.getOrderSequences.cost ?? { base: 1 };
    expect(publishedCost(cost)).to.deep.equal({ default: 12, max: 12, base: 2, itemsPerUnit: 100 });
  });
});
