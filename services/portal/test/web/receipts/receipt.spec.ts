import { expect } from 'chai';
import { parseReceipts, receiptOf, receiptsText } from '../../../web/data/receipts/receipt.ts';

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
const NOW = new Date('2026-11-23T08:00:00.000Z');

describe('receipts', () => {
  it("an answer's headers and order become a receipt, without the answer's other fields", () => {
    const headers = new Headers({ 'x-journal-seq': '17', 'x-journal-hash': HASH });
    expect(receiptOf('a', { ...ORDER, userId: 'a' } as typeof ORDER, headers, NOW)).to.deep.equal({
      accountId: 'a',
      seq: 17,
      hash: HASH,
      receivedAt: '2026-11-23T08:00:00.000Z',
      order: ORDER,
    });
  });

  it('an answer without a hash, or with a damaged one, has no receipt', () => {
    for (const headers of [
      {},
      { 'x-journal-seq': '17' },
      { 'x-journal-seq': '17', 'x-journal-hash': 'ab' },
      { 'x-journal-hash': HASH },
    ]) {
      expect(receiptOf('a', ORDER, new Headers(headers), NOW)).to.equal(null);
    }
  });

  it('a file gives back the receipts that were written', () => {
    const receipt = { accountId: 'a', seq: 17, hash: HASH, receivedAt: NOW.toISOString(), order: ORDER };
    expect(parseReceipts(receiptsText([receipt]))).to.deep.equal([receipt]);
  });

  it('a file with a fault is refused as a whole, with the place of the fault', () => {
    const receipt = { accountId: 'a', seq: 17, hash: HASH, receivedAt: NOW.toISOString(), order: ORDER };
    const withReceipt = (change: object) =>
      JSON.stringify({ format: 'paper-trading-receipts/1', receipts: [receipt, { ...receipt, ...change }] });
    expect(() => parseReceipts('no')).to.throw('not JSON');
    expect(() => parseReceipts('{"receipts":[]}')).to.throw('no file of receipts');
    expect(() => parseReceipts(withReceipt({ seq: 0 }))).to.throw('Receipt 2 of the file: seq must be a whole number');
    expect(() => parseReceipts(withReceipt({ hash: HASH.toUpperCase() }))).to.throw('Receipt 2 of the file: hash');
    expect(() => parseReceipts(withReceipt({ accountId: 1 }))).to.throw('accountId');
    expect(() => parseReceipts(withReceipt({ receivedAt: 'soon' }))).to.throw('receivedAt');
    expect(() => parseReceipts(withReceipt({ order: { ...ORDER, price: '0.4' } }))).to.throw('order');
  });
});
