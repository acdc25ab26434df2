import { createMemoryJournal } from '@paper/journal';
import { createLogger, createMetrics } from '@paper/runtime';
import { expect } from 'chai';
import type { SnapshotChild, SnapshotRequest } from '../src/snapshots/child.ts';
import { SnapshotSchedule } from '../src/snapshots/schedule.ts';
import { createSnapshots } from '../src/snapshots/snapshots.ts';
import type { SnapshotResult } from '../src/snapshots/take.ts';
import { FakeClock, turn } from '@paper/testkit';

describe('the schedule of snapshots', () => {
  it('has one due so many events after the last', () => {
    const schedule = new SnapshotSchedule(100, 0);
    expect([99, 100, 5_000].map((seq) => schedule.isDue(seq))).to.deep.equal([false, true, true]);
    schedule.taken(140);
    expect([239, 240].map((seq) => schedule.isDue(seq))).to.deep.equal([false, true]);
  });

  it('tries again a tenth of that after a failure', () => {
    const schedule = new SnapshotSchedule(100, 0);
    schedule.failed(130);
    expect([139, 140].map((seq) => schedule.isDue(seq))).to.deep.equal([false, true]);
  });

  it('has none due at 0', () => {
    expect(new SnapshotSchedule(0, 0).isDue(1_000_000)).to.equal(false);
  });
});

interface LogLine {
  readonly level: number;
  readonly msg: string;
}

/** Snapshots that the test itself completes, over a journal whose length the test sets. */
function harness(every: number) {
  const clock = new FakeClock();
  const orders: SnapshotRequest[] = [];
  const ends: { readonly resolve: (taken: SnapshotResult) => void; readonly reject: (error: Error) => void }[] = [];
  let killed = 0;
  const take = (order: SnapshotRequest): SnapshotChild => {
    orders.push(order);
    const taken = new Promise<SnapshotResult>((resolve, reject) => ends.push({ reject, resolve }));
    const kill = (): void => {
      killed += 1;
      ends.at(-1)?.reject(new Error('killed'));
    };
    return { kill, taken };
  };
  const logs: LogLine[] = [];
  const metrics = createMetrics();
  const snapshots = createSnapshots({
    build: 'test',
    clock,
    databaseUrl: 'postgresql://nowhere',
    every,
    journal: createMemoryJournal(),
    logger: createLogger(
      { level: 'info', name: 'test' },
      { write: (line) => void logs.push(JSON.parse(line) as LogLine) },
    ),
    metrics,
    shard: 'main',
    take,
  });
  return { clock, ends, killed: () => killed, logs, metrics, orders, snapshots };
}

describe('snapshots of one that leads', () => {
  const taken = (seq: number): SnapshotResult => ({ events: seq, seq, snapshot: null });

  it('are taken one at a time, as the journal grows', async () => {
    const { clock, ends, orders, snapshots } = harness(100);
    let seq = 99;
    snapshots.start(() => seq);
    expect(orders).to.deep.equal([]);
    seq = 100;
    clock.advance(1_000);
    expect(orders).to.deep.equal([
      { build: 'test', databaseUrl: 'postgresql://nowhere', eventStoreUrl: null, shard: 'main' },
    ]);
    seq = 400;
    clock.advance(5_000);
    expect(orders).to.have.lengthOf(1);
    ends[0]?.resolve(taken(120));
    await turn();
    clock.advance(1_000);
    expect(orders).to.have.lengthOf(2);
    ends[1]?.resolve(taken(400));
    await turn();
    clock.advance(10_000);
    expect(orders).to.have.lengthOf(2);
    await snapshots.stop();
  });

  it('are looked after at once when it starts', () => {
    const { orders, snapshots } = harness(100);
    snapshots.start(() => 2_000);
    expect(orders).to.have.lengthOf(1);
    void snapshots.stop();
  });

  it('that fail are logged, counted, and retried later', async () => {
    const { clock, ends, logs, metrics, orders, snapshots } = harness(100);
    let seq = 100;
    snapshots.start(() => seq);
    ends[0]?.reject(new Error('no room on the disk'));
    await turn();
    expect(logs.at(-1)).to.include({
      level: 'warn',
      msg: 'a snapshot could not be taken; retrying later',
    });
    expect((await metrics.expose()).text).to.match(/^snapshot_failures_total 1$/m);
    clock.advance(5_000);
    expect(orders).to.have.lengthOf(1);
    seq = 110;
    clock.advance(1_000);
    expect(orders).to.have.lengthOf(2);
    ends[1]?.resolve(taken(110));
    await turn();
    expect((await metrics.expose()).text).to.match(/^snapshot_seq 110$/m);
    await snapshots.stop();
  });

  it('are given up when it stops, which is no failure', async () => {
    const { clock, killed, logs, metrics, orders, snapshots } = harness(100);
    snapshots.start(() => 100);
    await snapshots.stop();
    expect(killed()).to.equal(1);
    expect(logs).to.deep.equal([]);
    expect((await metrics.expose()).text).to.match(/^snapshot_failures_total 0$/m);
    clock.advance(10_000);
    expect(orders).to.have.lengthOf(1);
  });

  it('are never taken with 0', () => {
    const { clock, orders, snapshots } = harness(0);
    snapshots.start(() => 1_000_000);
    clock.advance(10_000);
    expect(orders).to.deep.equal([]);
  });
});
