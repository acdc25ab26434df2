import { Refused, RateLimited } from '@paper/contracts';
import { rememberedFingerprint } from '@paper/exchange';
import { createMemoryJournal, createMemoryLog } from '@paper/journal';
import { expect } from 'chai';
import { PiecesRestoration, snapshotPieces } from '../../src/snapshots/pieces.ts';
import { accountLane } from '../../src/writer/pending-command.ts';
import { fromFirstEvent, loadToEnd } from '../../src/writer/load.ts';
import type { StartPoint } from '../../src/writer/load.ts';
import { buy, codeOf, keyOf, requestFor, serving, typesIn, writerHarness } from '../writer-harness.ts';
import type { TestCommand, WriterHarness } from '../writer-harness.ts';

const limitOf = (commands: number, exempt = 'none') => ({ commands, isExempt: (fleet: string) => fleet === exempt });
const keyed = (key: string, order = buy('ada', 'm')): TestCommand => ({
  ...order,
  idempotency: { fingerprint: 'f'.repeat(64), key },
});
/** The number of orders in the journal. */
const orders = ({ log }: WriterHarness): number => typesIn(log).filter((type) => type === 'OrderPlaced').length;

/** Sends these commands of ada as one batch, as the route does. */
function batch({ writer }: WriterHarness, commands: readonly TestCommand[]): Promise<readonly string[]> {
  const items = commands.map((command) => requestFor(command)[1]);
  const left = [...items];
  return writer
    .submitSequence(accountLane('ada', null), {
      answer: (decision) => decision.kind,
      limited: (state) => items.filter((item) => rememberedFingerprint(state, item) === null),
      next: () => left.shift() ?? null,
    })
    .then((results) => results.map((result) => (result instanceof Refused ? result.code : result.value)));
}

describe('the commands of a fleet on a UTC day', () => {
  it('are refused past the limit, until the next day begins, and say so', async () => {
    const harness = await serving(['ada', 'bob'], { dayLimit: limitOf(2) });
    for (let n = 0; n < 2; n += 1) await harness.submit(buy('ada', 'm'));
    const refusal: unknown = await harness.submit(buy('ada', 'm')).catch((error: unknown) => error);
    if (!(refusal instanceof RateLimited)) throw new Error(`it was ${String(refusal)}`);
    // The clock is at 15:06:40 UTC.
    expect(refusal.retryAfterSeconds).to.equal(32_000);
    expect(refusal.message).to.match(/^This fleet may send 2 commands a UTC day, and 0 are left today: try again in/);
    expect(orders(harness)).to.equal(2);
    expect(await codeOf(harness.submit(buy('bob', 'm')))).to.equal('ok');

    harness.clock.advance(31_999_000);
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('rate_limited');
    harness.clock.advance(1_000);
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('ok');
  });

  it('are those of the newest event where the clock is set back to the day before: a day is not used twice', async () => {
    const harness = await serving(['ada'], { dayLimit: limitOf(1) });
    harness.clock.advance(32_000_000);
    await harness.submit(buy('ada', 'm'));
    harness.clock.jump(-10_000);
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('rate_limited');
    expect(orders(harness)).to.equal(1);
  });

  it('are all that its keys append, of its sub-accounts too', async () => {
    const harness = await serving(['ada'], { dayLimit: limitOf(2) });
    const sub: TestCommand = {
      accountId: 'sub',
      by: keyOf('ada'),
      keyHash: 'hash of sub',
      keyId: 'sub-key',
      last4: 'abcd',
      nameDigest: 'd2'.repeat(32),
      permissions: null,
      type: 'OpenSubAccount',
    };
    await harness.submit(sub);
    await harness.submit(buy('sub', 'm'));
    expect(await codeOf(harness.submit(buy('sub', 'm')))).to.equal('rate_limited');
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('rate_limited');
  });

  it('do not include refusals, replays and previews, which go on past the limit', async () => {
    const harness = await serving(['ada'], { dayLimit: limitOf(1) });
    const preview = async () => harness.writer.preview(...requestFor(buy('ada', 'm')));
    await preview();
    expect(await codeOf(harness.submit(buy('ada', 'no such market')))).to.equal('market_not_found');
    expect(await codeOf(harness.submit(keyed('k')))).to.equal('ok');
    expect((await harness.submit(keyed('k'))).replayed).to.equal(true);
    expect(await codeOf(harness.submit(buy('ada', 'no such market')))).to.equal('market_not_found');
    expect((await preview()).value.kind).to.equal('accepted');
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('rate_limited');
  });

  it('never stop a fleet from cancelling, from its dead-man switch and from revoking keys', async () => {
    const harness = await serving(['ada'], { dayLimit: limitOf(2) });
    const order = buy('ada', 'm');
    await harness.submit(order);
    await harness.submit(buy('ada', 'm'));
    const by = keyOf('ada');
    const free: readonly TestCommand[] = [
      { by, orderId: order.orderId, type: 'CancelOrder' },
      { accountId: 'ada', by, marketId: null, outcome: null, side: null, type: 'CancelOrders' },
      { by, seconds: 60, type: 'SetDeadManSwitch' },
      { by, keyId: 'ada-key', type: 'RevokeApiKey' },
    ];
    const seq = harness.log.events.length;
    for (const command of free) expect(await codeOf(harness.submit(command)), command.type).to.equal('ok');
    expect(harness.log.events.length).to.equal(seq + free.length);
  });

  it('are not limited for the house, nor for operators', async () => {
    const harness = await serving(['house', 'ada'], { dayLimit: limitOf(0, 'house') });
    expect(await codeOf(harness.submit(buy('house', 'm')))).to.equal('ok');
    expect(await codeOf(harness.submit(buy('ada', 'm')))).to.equal('rate_limited');
    expect(typesIn(harness.log)).to.include('AccountOpened');
  });

  it('of a batch that would pass the limit are refused as a whole; its replay is answered', async () => {
    const harness = await serving(['ada'], { dayLimit: limitOf(3) });
    const two = [keyed('k'), keyed('l')];
    expect(await batch(harness, two)).to.deep.equal(['accepted', 'accepted']);
    expect(await codeOf(batch(harness, [buy('ada', 'm'), buy('ada', 'm')]))).to.equal('rate_limited');
    expect(orders(harness)).to.equal(2);
    expect(await batch(harness, [buy('ada', 'm')])).to.deep.equal(['accepted']);
    expect(await batch(harness, two)).to.deep.equal(['replayed', 'replayed']);
  });

  it('are counted on by the next writer, from the journal and from a snapshot', async () => {
    const dayLimit = limitOf(2);
    const first = await serving(['ada'], { dayLimit });
    for (let n = 0; n < 2; n += 1) await first.submit(buy('ada', 'm'));
    const folded = await loadToEnd(createMemoryJournal(first.log), await fromFirstEvent());
    const pieces = [...snapshotPieces(folded)];
    const fromSnapshot: StartPoint = () => {
      const restoration = new PiecesRestoration();
      for (const piece of pieces) restoration.add(piece);
      return Promise.resolve({ ...restoration.end(), head: folded.head });
    };
    for (const loadFrom of [fromFirstEvent, fromSnapshot]) {
      // Each continues a journal of its own.
      const log = { ...createMemoryLog(), events: [...first.log.events] };
      const next = writerHarness({ dayLimit, loadFrom, log });
      await next.writer.start();
      expect(await codeOf(next.submit(buy('ada', 'm')))).to.equal('rate_limited');
      next.clock.advance(24 * 60 * 60 * 1_000);
      expect(await codeOf(next.submit(buy('ada', 'm')))).to.equal('ok');
    }
  });
});
