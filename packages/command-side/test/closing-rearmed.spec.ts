import { DEFAULT_SETTINGS } from '@paper/exchange';
import { createMemoryJournal, createMemoryLog } from '@paper/journal';
import { expect } from 'chai';
import { CommandProcessor } from '../src/command-processor.ts';
import { requestFor, listMarket, operator, typesIn } from './writer-harness.ts';
import type { TestCommand } from './writer-harness.ts';
import { FakeClock, turn } from '@paper/testkit';

/** This delay is shorter than the closing clock's longest sleep, so only a timer that was set anew can be on time. */
const SOON_MS = 2_000;

describe('the closing clock is set anew', () => {
  let clock: FakeClock;
  let processor: CommandProcessor;
  let log = createMemoryLog();

  beforeEach(async () => {
    clock = new FakeClock();
    log = createMemoryLog();
    processor = new CommandProcessor({
      build: 'test',
      clock,
      journal: createMemoryJournal(log),
      observer: {
        alarm: () => undefined,
        appended: () => undefined,
        decided: () => undefined,
        noted: () => undefined,
        queueDepth: () => undefined,
        resent: () => undefined,
      },
      onFenced: () => undefined,
      settings: DEFAULT_SETTINGS,
    });
    await processor.start();
  });
  afterEach(() => processor.stop(1));

  const submit = (command: TestCommand) => processor.submit(requestFor(command));
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    for (let turns = 0; turns < 10; turns += 1) await turn();
  };
  const closings = (): number => typesIn(log).filter((type) => type === 'MarketClosed').length;

  it('when an operator lists a market that closes sooner', async () => {
    await submit(listMarket('soon', clock.now() + SOON_MS));
    await pass(SOON_MS - 1);
    expect(closings()).to.equal(0);
    await pass(2);
    expect(closings()).to.equal(1);
  });

  it('when an operator amends a closing time to a sooner one', async () => {
    await submit(listMarket('later', clock.now() + 3_600_000));
    const closesAt = clock.now() + SOON_MS;
    const unchanged = { citationUrl: null, companyImpact: null, description: null, drivers: null, title: null };
    await submit({ ...unchanged, by: operator, closesAt, marketId: 'later', type: 'AmendMarket' });
    await pass(SOON_MS + 1);
    expect(closings()).to.equal(1);
  });

  it('when an operator activates a market that closes sooner', async () => {
    await submit({ ...listMarket('planned', clock.now() + SOON_MS), phase: 'scheduled' });
    await submit({ by: operator, marketId: 'planned', type: 'ActivateMarket' });
    await pass(SOON_MS + 1);
    expect(closings()).to.equal(1);
  });
});
