import { expect } from 'chai';
import { createMemoryLog } from '@paper/journal';
import { buy, codeOf, gate, serving, writerHarness, typesIn } from './writer-harness.ts';
import { turn, until } from '@paper/testkit';

const idempotency = { fingerprint: 'f'.repeat(64), key: 'one' };
const once = () => ({ ...buy('ada', 'm'), idempotency });

describe('Idempotency-Key', () => {
  it('gives the first decision again, and appends nothing', async () => {
    const harness = await serving(['ada']);
    const first = await harness.submit(once());
    const length = harness.log.events.length;
    await harness.submit(buy('ada', 'm'));
    const again = await harness.submit(once());
    expect(again).to.deep.equal({
      changed: true,
      hash: first.hash,
      replayed: true,
      seq: first.seq,
      value: { ...first.value, kind: 'replayed', seq: first.seq },
    });
    expect(first.replayed).to.equal(false);
    expect(harness.log.events.length).to.equal(length + 1);
  });

  it('gives a decision of several events whole', async () => {
    const harness = await serving(['ada', 'bob']);
    for (let n = 0; n < 3; n += 1) await harness.submit({ ...buy('bob', 'm', 6_000), outcome: 'no' });
    const taker = () => ({ ...buy('ada', 'm', 4_000, 5), idempotency });
    const first = await harness.submit(taker());
    expect(first.value.kind === 'accepted' && first.value.events.length).to.equal(4);
    expect((await harness.submit(taker())).value).to.deep.equal({
      ...first.value,
      kind: 'replayed',
      seq: first.seq - 3,
    });
  });

  it('waits for the first while that is in flight', async () => {
    const gated = gate();
    const harness = await serving(['ada'], { journal: gated.journal });
    gated.hold();
    const first = harness.submit(once());
    let answered = false;
    const again = harness.submit(once()).finally(() => (answered = true));
    await until('the append is in flight', () => gated.waiting() === 1);
    for (let n = 0; n < 20; n += 1) await turn();
    expect(answered).to.equal(false);
    gated.release();
    expect((await again).seq).to.equal((await first).seq);
    expect(typesIn(harness.log).filter((type) => type === 'OrderPlaced').length).to.equal(1);
  });

  it('is remembered by the next writer of the same journal', async () => {
    const log = createMemoryLog();
    const first = await (await serving(['ada'], { log })).submit(once());
    const next = writerHarness({ log });
    await next.writer.start();
    const again = await next.submit(once());
    expect(again).to.deep.equal({
      changed: true,
      hash: first.hash,
      replayed: true,
      seq: first.seq,
      value: { ...first.value, kind: 'replayed', seq: first.seq },
    });
  });

  it('tells the truth to who was answered 503', async () => {
    const gated = gate();
    const harness = await serving(['ada'], { journal: gated.journal });
    gated.hold();
    const lost = codeOf(harness.submit(once()));
    await until('the append is in flight', () => gated.waiting() === 1);
    harness.clock.advance(5_000);
    expect(await lost).to.equal('unavailable');
    gated.release();
    expect((await harness.submit(once())).replayed).to.equal(true);
    expect(typesIn(harness.log).filter((type) => type === 'OrderPlaced').length).to.equal(1);
  });

  it('is a conflict with another request', async () => {
    const harness = await serving(['ada']);
    await harness.submit(once());
    const other = { ...once(), idempotency: { ...idempotency, fingerprint: 'e'.repeat(64) } };
    expect(await codeOf(harness.submit(other))).to.equal('idempotency_conflict');
  });

  it('decides anew what was refused', async () => {
    const harness = await serving(['ada']);
    const refused = { ...buy('ada', 'nowhere'), idempotency };
    expect(await codeOf(harness.submit(refused))).to.equal('market_not_found');
    expect((await harness.submit(once())).replayed).to.equal(false);
  });
});
