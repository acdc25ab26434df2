import { expect } from 'chai';
import { createMemoryLog } from '@paper/journal';
import { buy, codeOf, gate, serving, testDesk, typesIn } from './desk-of-one.ts';
import { turn, until } from './fake-clock.ts';

const idempotency = { fingerprint: 'f'.repeat(64), key: 'one' };
const once = () => ({ ...buy('ada', 'm'), idempotency });

describe('Idempotency-Key', () => {
  it('gives the first decision again, and appends nothing', async () => {
    const desk = await serving(['ada']);
    const first = await desk.submit(once());
    const length = desk.log.events.length;
    await desk.submit(buy('ada', 'm'));
    const again = await desk.submit(once());
    expect(again).to.deep.equal({
      changed: true,
      hash: first.hash,
      replayed: true,
      seq: first.seq,
      value: { ...first.value, kind: 'replayed' },
    });
    expect(first.replayed).to.equal(false);
    expect(desk.log.events.length).to.equal(length + 1);
  });

  it('gives a decision of several events whole', async () => {
    const desk = await serving(['ada', 'bob']);
    for (let n = 0; n < 3; n += 1) await desk.submit({ ...buy('bob', 'm', 6_000), outcome: 'no' });
    const taker = () => ({ ...buy('ada', 'm', 4_000, 5), idempotency });
    const first = await desk.submit(taker());
    expect(first.value.kind === 'accepted' && first.value.events.length).to.equal(4);
    expect((await desk.submit(taker())).value).to.deep.equal({ ...first.value, kind: 'replayed' });
  });

  it('waits for the first while that is in flight', async () => {
    const doors = gate();
    const desk = await serving(['ada'], { journal: doors.journal });
    doors.hold();
    const first = desk.submit(once());
    let answered = false;
    const again = desk.submit(once()).finally(() => (answered = true));
    await until('the append is in flight', () => doors.waiting() === 1);
    for (let n = 0; n < 20; n += 1) await turn();
    expect(answered).to.equal(false);
    doors.release();
    expect((await again).seq).to.equal((await first).seq);
    expect(typesIn(desk.log).filter((type) => type === 'OrderPlaced').length).to.equal(1);
  });

  it('is remembered by the next writer of the same journal', async () => {
    const log = createMemoryLog();
    const first = await (await serving(['ada'], { log })).submit(once());
    const next = testDesk({ log });
    await next.writer.start();
    const again = await next.submit(once());
    expect(again).to.deep.equal({
      changed: true,
      hash: first.hash,
      replayed: true,
      seq: first.seq,
      value: { ...first.value, kind: 'replayed' },
    });
  });

  it('tells the truth to who was answered 503', async () => {
    const doors = gate();
    const desk = await serving(['ada'], { journal: doors.journal });
    doors.hold();
    const lost = codeOf(desk.submit(once()));
    await until('the append is in flight', () => doors.waiting() === 1);
    desk.clock.advance(5_000);
    expect(await lost).to.equal('unavailable');
    doors.release();
    expect((await desk.submit(once())).replayed).to.equal(true);
    expect(typesIn(desk.log).filter((type) => type === 'OrderPlaced').length).to.equal(1);
  });

  it('is a conflict with another request', async () => {
    const desk = await serving(['ada']);
    await desk.submit(once());
    const other = { ...once(), idempotency: { ...idempotency, fingerprint: 'e'.repeat(64) } };
    expect(await codeOf(desk.submit(other))).to.equal('idempotency_conflict');
  });

  it('decides anew what was refused', async () => {
    const desk = await serving(['ada']);
    const refused = { ...buy('ada', 'nowhere'), idempotency };
    expect(await codeOf(desk.submit(refused))).to.equal('market_not_found');
    expect((await desk.submit(once())).replayed).to.equal(false);
  });
});
