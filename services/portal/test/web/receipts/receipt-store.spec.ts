import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { expect } from 'chai';
import { storeReceipt } from '../../../web/data/receipts/store-receipt.ts';
import type { Receipt } from '../../../web/data/receipts/receipt.ts';
import { ReceiptStore } from '../../../web/data/receipts/receipt-store.ts';

const HASH = 'ab'.repeat(32);
const ORDER = {
  id: 'o',
  marketId: 'm',
  side: 'buy',
  outcome: 'yes',
  orderType: 'limit',
  price: 0.4,
  quantity: 10,
  status: 'open',
} as const;
const receipt = (accountId: string, seq: number, hash = HASH): Receipt => ({
  accountId,
  seq,
  hash,
  receivedAt: '2026-11-23T08:00:00.000Z',
  order: ORDER,
});
const head = (seq: number) => ({
  at: '2026-11-23T08:00:00.000Z',
  hash: HASH,
  seq,
  shard: 'main',
  publicKey: 'k',
  signature: 's',
});

describe('the store of receipts', () => {
  let store: ReceiptStore;

  beforeEach(async () => {
    globalThis.indexedDB = new IDBFactory();
    store = await ReceiptStore.open();
  });
  afterEach(() => store.close());

  const listed = async (accountId: string) => (await store.list(accountId)).map(({ seq }) => seq);

  it('lists the receipts of an account, newest first, and none of another', async () => {
    await store.add([receipt('ann', 9), receipt('ann', 10), receipt('ann', 100), receipt('bob', 50)]);
    expect(await listed('ann')).to.deep.equal([100, 10, 9]);
    expect(await listed('bob')).to.deep.equal([50]);
    expect(await listed('an')).to.deep.equal([]);
  });

  it('adds a receipt once, and never overwrites one by another hash', async () => {
    const forged = receipt('ann', 9, 'cd'.repeat(32));
    expect(await store.add([receipt('ann', 9)])).to.deep.equal({ added: 1, known: 0, conflicting: [] });
    expect(await store.add([receipt('ann', 9), forged])).to.deep.equal({ added: 0, known: 1, conflicting: [forged] });
    expect(await store.list('ann')).to.deep.equal([receipt('ann', 9)]);
  });

  it("deletes an account's receipts, and no other's", async () => {
    await store.add([receipt('ann', 9), receipt('bob', 50)]);
    await store.clear('ann');
    expect([await listed('ann'), await listed('bob')]).to.deep.equal([[], [50]]);
  });

  it('keeps signed heads, the newest first', async () => {
    await store.addHead(head(5));
    await store.addHead(head(17));
    await store.addHead(head(17));
    expect((await store.heads()).map(({ seq }) => seq)).to.deep.equal([17, 5]);
    await store.deleteHead(head(17));
    expect((await store.heads()).map(({ seq }) => seq)).to.deep.equal([5]);
  });

  it('keeps the receipt of an answer, and says so', async () => {
    const headers = new Headers({ 'x-journal-seq': '17', 'x-journal-hash': HASH });
    expect(await storeReceipt('ann', ORDER, headers)).to.equal(true);
    expect(await store.list('ann')).to.have.length(1);
    expect(await storeReceipt('ann', ORDER, new Headers())).to.equal(false);
  });

  it('says that a receipt is not kept where the browser has no storage', async () => {
    const headers = new Headers({ 'x-journal-seq': '17', 'x-journal-hash': HASH });
    Object.assign(globalThis, {
      indexedDB: {
        open: () => {
          throw new DOMException('denied', 'SecurityError');
        },
      },
    });
    expect(await storeReceipt('ann', ORDER, headers)).to.equal(false);
  });
});
