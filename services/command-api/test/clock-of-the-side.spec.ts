import { DEFAULT_SETTINGS } from '@paper/exchange/commands';
import { createMemoryJournal, createMemoryLog } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { createMemoryNames } from '@paper/names';
import { createLogger, createMetrics } from '@paper/runtime';
import { expect } from 'chai';
import { createCommandSide } from '../src/command-side.ts';
import type { CommandSide } from '../src/command-side.ts';
import { FakeClock, turn } from '@paper/testkit';

/**
 * A command side without a lease, as in the standalone. The database's clock is right; this process's clock may be
 * ahead.
 */
function sideWith(
  clock: FakeClock,
  aheadMs = 0,
  journal: Journal = createMemoryJournal(createMemoryLog()),
): { readonly side: CommandSide; readonly why: () => Promise<string> } {
  const [rightMs, sinceMs] = [clock.now() - aheadMs, clock.monotonic()];
  const side = createCommandSide({
    build: '0.1.0-test',
    clock,
    databaseClock: () => Promise.resolve(rightMs + clock.monotonic() - sinceMs),
    journal,
    logger: createLogger({ level: 'silent', name: 'test' }),
    metrics: createMetrics(),
    onFenced: () => undefined,
    projections: () => Promise.resolve([]),
    fingerprintSecret: Buffer.alloc(32, 1),
    names: createMemoryNames(),
    readModel: {
      order: () => Promise.resolve(null),
      marketRecord: () => Promise.resolve(null),
      fresh: () => Promise.resolve(),
      key: () => Promise.resolve(null),
      keyHolder: () => Promise.resolve(null),
      keyOwner: () => Promise.resolve(null),
      publicName: () => Promise.resolve(null),
    },
    settings: DEFAULT_SETTINGS,
    shard: 'main',
  });
  const why = (): Promise<string> =>
    side.readiness.check().then(
      () => 'ready',
      (error: unknown) => String(error),
    );
  return { side, why };
}

describe('a command side without a lease', () => {
  let clock: FakeClock;
  beforeEach(() => (clock = new FakeClock()));
  /** Advances the clock second by second, and gives pending requests time to be answered. */
  const pass = async (seconds: number): Promise<void> => {
    for (let left = seconds; left > 0; left -= 1) {
      clock.advance(1_000);
      for (let turns = 0; turns < 5; turns += 1) await turn();
    }
  };

  it('begins once its clock and the database agree, and says until then which of them differ', async () => {
    const { side, why } = sideWith(clock, 3_600_000);
    const started = side.start();
    await pass(10);
    expect(await why()).to.match(/^Error: the wall clock is 3,600 s ahead of the database's clock: set right/);
    clock.jump(-3_600_000);
    await pass(35);
    await started;
    expect(await why()).to.equal('ready');
    await side.stop(1);
  });

  it('waits, and says why, where its clock jumps while it reads the journal, and begins by itself', async () => {
    const journal = createMemoryJournal(createMemoryLog());
    let jumped = false;
    const { side, why } = sideWith(clock, 0, {
      ...journal,
      read: (from, limit) => {
        if (!jumped) clock.jump(-3_600_000);
        jumped = true;
        return journal.read(from, limit);
      },
    });
    const started = side.start();
    await pass(2);
    expect(await why()).to.match(/^Error: the wall clock jumped 3,600 s back/);
    clock.jump(3_600_000);
    await pass(2);
    await started;
    expect(await why()).to.equal('ready');
    await side.stop(1);
  });

  it('can be stopped while it waits for that', async () => {
    const { side } = sideWith(clock, 3_600_000);
    const failed = side.start().catch((error: unknown) => error);
    await pass(2);
    await side.stop(1);
    await pass(2);
    expect(String(await failed)).to.equal('Error: it was stopped before it served');
  });

  it('is not ready while its clock is not trusted, says why, and is ready again by itself', async () => {
    const { side, why } = sideWith(clock);
    await side.start();
    for (let steps = 0; steps < 3; steps += 1) {
      clock.jump(-50_000);
      await pass(1);
      expect(await why()).to.equal('ready');
    }
    clock.jump(150_000);
    expect(await why()).to.match(
      /^Error: the wall clock jumped 150 s forward; it is trusted again once it has been steady/,
    );
    await pass(29);
    expect(side.ready()).to.equal(false);
    await pass(3);
    expect(await why()).to.equal('ready');
    await side.stop(1);
  });

  it('is ready when it wakes up with its machine', async () => {
    const { side, why } = sideWith(clock);
    await side.start();
    clock.sleep(8 * 3_600_000);
    expect(await why()).to.equal('ready');
    await side.stop(1);
  });
});
