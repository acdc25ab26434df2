import { expect } from 'chai';
import { httpHarness, listing } from './http-harness.ts';
import type { HttpHarness, Reply, Sent } from './http-harness.ts';

/** X-Journal-Seq and X-Journal-Hash of an answer name the event, and so the journal, at which it is true. */
describe('receipts', () => {
  let harness: HttpHarness;
  let key: string;

  /** The hash of the answer, after checking that the journal has it at the answer's sequence. */
  const receiptOf = ({ headers, status }: Reply): string => {
    expect(status).to.equal(200);
    const hash = headers.get('x-journal-hash') ?? 'none';
    expect(hash).to.equal(harness.log.events[Number(headers.get('x-journal-seq')) - 1]?.hash);
    return hash;
  };
  const headHash = (): string | undefined => harness.log.events.at(-1)?.hash;
  const place = (more: Readonly<Record<string, unknown>> = {}, sent: Sent = {}) =>
    harness.call('POST', '/api/orders', {
      key,
      body: { marketId: 'm', outcome: 'yes', price: 0.4, quantity: 10, ...more },
      ...sent,
    });

  before(async () => {
    harness = await httpHarness();
    await harness.operate('POST', '/api/operator/markets', listing('m'));
    const { body } = await harness.operate('POST', '/api/operator/accounts', { displayName: 'Ada' });
    key = (body as unknown as { apiKey: { rawKey: string } }).apiKey.rawKey;
  });
  after(() => harness.close());

  it('is the hash of the last event that the command caused', async () => {
    const replies = [
      await place(),
      await harness.operate('PATCH', '/api/operator/markets/m', { title: 'Another' }),
      await harness.call('POST', '/api/accounts/sub', { key, body: { displayName: 'Sub' } }),
      await harness.operate('POST', '/api/operator/markets', listing('n')),
      await harness.operate('POST', '/api/operator/markets/n/resolve', { outcome: 'yes' }),
    ];
    expect(new Set(replies.map(receiptOf)).size).to.equal(replies.length);
    expect(receiptOf(await place())).to.equal(headHash());
  });

  it('of a command that appended nothing is of the event that it was decided after', async () => {
    const before = headHash();
    const nothing = [
      await harness.call('DELETE', '/api/orders/none', { key }),
      await harness.operate('POST', '/api/operator/markets/m/activate'),
    ];
    expect(nothing.map(receiptOf)).to.deep.equal([before, before]);
    expect(headHash()).to.equal(before);
  });

  it('of a replayed command is the first one again', async () => {
    const first = await place({}, { idempotencyKey: 'once' });
    await place();
    const again = await place({}, { idempotencyKey: 'once' });
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(receiptOf(again)).to.equal(receiptOf(first));
    expect(receiptOf(again)).not.to.equal(headHash());
  });

  it('of a batch is that of its last event, whatever failed in it', async () => {
    const listed = { ...listing('b'), op: 'list-market' };
    const missing = { op: 'pause-market', id: 'none' };
    const batch = (commands: readonly unknown[]) => harness.operate('POST', '/api/operator/batch', { commands });
    expect(receiptOf(await batch([missing, listed, missing]))).to.equal(headHash());
    expect((await batch([missing])).headers.has('x-journal-hash')).to.equal(false);
  });

  it('is not on a refusal, which is no part of the journal', async () => {
    const refused = await place({ price: 0.99, quantity: 500, marketId: 'none' });
    expect(refused.status).to.equal(400);
    expect(refused.headers.has('x-journal-hash')).to.equal(false);
  });
});
