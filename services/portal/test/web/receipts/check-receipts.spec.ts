import { generateKeyPairSync } from 'node:crypto';
import { isSigned, signHead } from '@paper/auditor';
import { checkChain, EMPTY_HEAD } from '@paper/journal';
import type { WithheldEvent } from '@paper/journal';
import { expect } from 'chai';
import { checkReceipts, EVENTS_AT_ONCE } from '../../../web/data/receipts/check-receipts.ts';
import type { CheckProgress, CheckRequest, CheckResult } from '../../../web/data/receipts/check-receipts.ts';
import type { Receipt } from '../../../web/data/receipts/receipt.ts';
import { commandOf, describeCheck } from '../../../web/data/receipts/check-report.ts';
import { readSignedHead } from '../../../web/data/receipts/signed-head.ts';
import { goldenLines, serveJournal } from './golden-journal.ts';
import type { ServedJournal } from './golden-journal.ts';

/** The order of the golden journal: events 1 to 3 place it, fill 5 of 12 and cancel the rest. */
const ORDER = {
  id: '01900000-0000-7000-8000-000000001000',
  marketId: 'demo:acme-q3',
  side: 'buy',
  outcome: 'yes',
  orderType: 'limit',
  price: 0.55,
  quantity: 12,
  status: 'partial',
} as const;
const ACCOUNT = '01900000-0000-7000-8000-0000a11ce000';
const { privateKey } = generateKeyPairSync('ed25519');
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const at = (lines: readonly WithheldEvent[], seq: number): WithheldEvent => {
  const line = lines[seq - 1];
  if (line === undefined) throw new Error(`no event ${seq}`);
  return line;
};
const receiptOf = (lines: readonly WithheldEvent[], seq: number, more: Partial<Receipt> = {}): Receipt => ({
  accountId: ACCOUNT,
  seq,
  hash: at(lines, seq).hash,
  receivedAt: '2026-11-23T08:00:00.000Z',
  order: ORDER,
  ...more,
});
const signed = (lines: readonly WithheldEvent[], seq: number) =>
  signHead({ at: '2026-11-23T08:05:00.000Z', hash: at(lines, seq).hash, seq, shard: 'main' }, PEM);

/** The same event with another price, and hashes computed anew from it on: a history that was rewritten. */
function rewritten(lines: readonly WithheldEvent[], seq: number): WithheldEvent[] {
  const forged = lines.map((line) =>
    line.seq === seq
      ? { ...line, publicText: line.publicText.replaceAll('"at":1790000000123', '"at":1790000000124') }
      : line,
  );
  for (let index = seq - 1; index < forged.length; index += 1) {
    const before = index === 0 ? EMPTY_HEAD : { hash: at(forged, index).hash, seq: index };
    try {
      checkChain(before, [at(forged, index + 1)]);
    } catch (error) {
      const [, hash] = /its texts give ([0-9a-f]{64})/.exec(String(error)) ?? [];
      forged[index] = { ...at(forged, index + 1), hash: hash ?? 'none' };
    }
  }
  return forged;
}

describe('checking receipts in the browser', function () {
  this.timeout(60_000);
  const lines = goldenLines();
  const open: ServedJournal[] = [];
  const serve = async (given: readonly WithheldEvent[] = lines): Promise<ServedJournal> => {
    const served = await serveJournal(given);
    open.push(served);
    return served;
  };
  const check = async (
    given: readonly WithheldEvent[],
    request: Partial<CheckRequest>,
    onProgress: (progress: CheckProgress) => void = () => undefined,
  ): Promise<CheckResult> => {
    const { access } = await serve(given);
    return checkReceipts(
      { receipts: [receiptOf(lines, 3)], head: null, isLong: false, ...request },
      access,
      onProgress,
    );
  };
  const faultOf = (result: CheckResult): string => (result.kind === 'fault' ? result.message : result.kind);

  afterEach(() => {
    for (const served of open.splice(0)) served.close();
  });

  it('a receipt holds that the journal has, and the journal is followed to its newest event', async () => {
    const progress: CheckProgress[] = [];
    const result = await check(lines, {}, (one) => progress.push(one));
    expect(result).to.deep.include({ kind: 'holds', events: 8, head: null, last: { hash: at(lines, 8).hash, seq: 8 } });
    expect(progress.at(-1)).to.deep.equal({ checked: 8, total: 8 });
    expect(result.kind === 'holds' && result.orders[0]).to.match(
      /^OrderPlaced, OrderCancelled at 2026-.*: buy 12 Yes in demo:acme-q3, 5 filled in this decision$/,
    );
  });

  it('a check begins before the decision of its receipt, not at the first event', async () => {
    const amended = receiptOf(lines, 4, { order: { ...ORDER, quantity: 10 } });
    const served = await serve();
    const result = await checkReceipts(
      { receipts: [amended], head: null, isLong: false },
      served.access,
      () => undefined,
    );
    expect(result).to.deep.include({ kind: 'holds', after: { hash: at(lines, 3).hash, seq: 3 }, events: 5 });
    expect(served.requests).not.to.include('/api/journal?from=1');
  });

  it('a check ends at the newest signed head, and says of whom it is', async () => {
    const head = readSignedHead(JSON.stringify(signed(lines, 5)));
    const receipts = [receiptOf(lines, 3)];
    const result = await check(lines, { head, receipts });
    expect(result).to.deep.include({ kind: 'holds', head, last: { hash: at(lines, 5).hash, seq: 5 } });
    if (result.kind !== 'holds') return;
    const { shown, notShown } = describeCheck({ receipts, head }, result);
    expect(shown.join('\n')).to.include(`the head of event 5 that was signed at 2026-11-23T08:05:00.000Z by the key`);
    expect(notShown.join('\n')).to.include('Events after 5.').and.not.include('No signed head');
  });

  it('without a signed head it says that the end is only what the service says', async () => {
    const receipts = [receiptOf(lines, 3)];
    const result = await check(lines, { receipts });
    if (result.kind !== 'holds') throw new Error(result.kind);
    expect(describeCheck({ receipts, head: null }, result).notShown.join('\n')).to.include('No signed head was given');
  });

  it('a changed event is refused', async () => {
    const changed = lines.map((line) =>
      line.seq === 2 ? { ...line, publicText: line.publicText.replace('"quantity":5', '"quantity":6') } : line,
    );
    expect(faultOf(await check(changed, {}))).to.match(/^at event 2: the hash is [0-9a-f]{64}, the texts give /);
  });

  it('a changed event after the receipt is refused too', async () => {
    const changed = lines.map((line) => (line.seq === 7 ? { ...line, privateDigest: 'ab'.repeat(32) } : line));
    expect(faultOf(await check(changed, {}))).to.match(/^at event 7: the hash is/);
  });

  it('a history that was rewritten with good hashes does not have the receipt', async () => {
    expect(faultOf(await check(rewritten(lines, 1), {}))).to.match(
      /^at event 3: event 3 has the hash [0-9a-f]{64}, and a receipt says /,
    );
  });

  it('a changed receipt is refused, whichever field was changed', async () => {
    const hash = at(lines, 3).hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    const changes: readonly (readonly [Partial<Receipt>, RegExp])[] = [
      [{ hash }, /and a receipt says/],
      [{ seq: 4 }, /and a receipt says/],
      [{ seq: 99 }, /the journal ends before event 99/],
      [{ accountId: 'another' }, /the receipt says accountId another/],
      [{ order: { ...ORDER, quantity: 13 } }, /the receipt says quantity 13 of order .*, the journal 12/],
      [{ order: { ...ORDER, price: 0.54 } }, /the receipt says priceUnits 5400 of order .*, the journal 5500/],
      [{ order: { ...ORDER, side: 'sell' } }, /the receipt says side sell/],
      [{ order: { ...ORDER, id: '01900000-0000-7000-8000-00000000ffff' } }, /belongs to no decision about order/],
    ];
    for (const [change, said] of changes) {
      const receipts = [receiptOf(lines, 3, change)];
      expect(faultOf(await check(lines, { receipts })), JSON.stringify(change)).to.match(said);
    }
  });

  it('a signed head that the journal does not have is refused, and so is a journal that ends before it', async () => {
    const head = readSignedHead(JSON.stringify(signed(rewritten(lines, 6), 6)));
    expect(faultOf(await check(lines, { head }))).to.match(/event 6 has the hash .*, and the signed head says/);
    const later = readSignedHead(JSON.stringify(signed(lines, 8)));
    expect(faultOf(await check(lines.slice(0, 6), { head: later }))).to.match(
      /the journal ends with event 6, and the signed head speaks of event 8/,
    );
  });

  it('a signed head that is older than the receipt is met or said to be older', async () => {
    const head = readSignedHead(JSON.stringify(signed(lines, 2)));
    const receipts = [receiptOf(lines, 3)];
    const result = await check(lines, { head, receipts });
    if (result.kind !== 'holds') throw new Error(faultOf(result));
    expect(result.last.seq).to.equal(8);
    expect(describeCheck({ receipts, head }, result).notShown.join('\n')).to.include('is older than the receipt');
  });

  it('a busy service is asked again, and one that stays away is not at fault', async () => {
    const served = await serve();
    served.failNext(503, 429, 503);
    const request = { receipts: [receiptOf(lines, 3)], head: null, isLong: false };
    expect((await checkReceipts(request, served.access, () => undefined)).kind).to.equal('holds');
    served.failNext(...Array.from({ length: 10 }, () => 503));
    const result = await checkReceipts(request, served.access, () => undefined);
    expect(result).to.deep.include({ kind: 'unchecked' });
  });

  it('a long journal is checked only where the person asked for it', async () => {
    const far = { ...at(lines, 8), seq: EVENTS_AT_ONCE + 1 };
    const head = { ...readSignedHead(JSON.stringify(signed(lines, 8))), seq: far.seq };
    expect(await check(lines, { head })).to.deep.equal({ kind: 'needs long', events: EVENTS_AT_ONCE + 1 });
    expect(faultOf(await check(lines, { head, isLong: true }))).to.include('the journal ends with event 8');
  });

  it('signed heads are what the auditor signs, and a changed field is refused', () => {
    const head = signed(lines, 8);
    expect(isSigned(head)).to.equal(true);
    expect(readSignedHead(JSON.stringify(head))).to.deep.equal(head);
    const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    for (const change of [
      { seq: 7 },
      { hash: at(lines, 7).hash },
      { at: '2026-11-23T08:05:00.001Z' },
      { shard: 'other' },
      { publicKey: other },
      { publicKey: 'no key' },
      { signature: head.signature.replace(/^./, (digit) => (digit === 'A' ? 'B' : 'A')) },
    ]) {
      expect(() => readSignedHead(JSON.stringify({ ...head, ...change })), JSON.stringify(change)).to.throw(
        'signature',
      );
    }
    expect(() => readSignedHead('{')).to.throw('not JSON');
    expect(() => readSignedHead(JSON.stringify({ ...head, signature: undefined }))).to.throw('not signed');
  });

  it('the command names every receipt', () => {
    expect(commandOf('http://localhost:4000', [receiptOf(lines, 3)])).to.equal(
      `curl -O http://localhost:4000/verify-journal.mjs && node verify-journal.mjs http://localhost:4000 --receipt 3:${at(lines, 3).hash}`,
    );
  });
});
