import { encodeDecision } from '@paper/journal';
import { expect } from 'chai';
import { JOURNAL_BYTES, JOURNAL_BYTES_A_DAY, JournalBudget } from '../../src/demo/journal-budget.ts';
import type { JournalUse } from '../../src/demo/journal-budget.ts';
import { SimulatedDemo } from './simulated-demo.ts';

const HOUR = 3_600_000;
/** Of the rows' own bytes: hash, ids and their index, the row's head and its part of a page. Measured: 1.27 to 1.4. */
const ON_DISK = 1.3;

describe("the demo's journal budget", () => {
  it('counts for each act at least what its events take', async () => {
    const demo = new SimulatedDemo({ seed: 1 });
    const stored = new Map<string, { bytes: number; count: number }>();
    const head = { hash: '0'.repeat(64), seq: 1_000_000 };
    demo.exchange.world.onDecision = (command, events) => {
      const { stored: texts } = encodeDecision({ command, events, head, salt: '0'.repeat(32) });
      for (const { privateText, publicText, type } of texts) {
        const before = stored.get(type) ?? { bytes: 0, count: 0 };
        const bytes = Buffer.byteLength(publicText) + Buffer.byteLength(privateText ?? '') + 64 + type.length;
        stored.set(type, { bytes: before.bytes + bytes, count: before.count + 1 });
      }
    };
    await demo.run(12);
    const average = (type: string): number => {
      const { bytes, count } = stored.get(type) ?? expect.fail(`no ${type}`);
      return (bytes / count) * ON_DISK;
    };
    const acts: readonly (readonly [JournalUse, string])[] = [
      ['order', 'OrderPlaced'],
      ['move', 'OrderReplaced'],
      ['cancel', 'OrderCancelled'],
      ['fill', 'OrderFilled'],
      ['signal', 'SignalRecorded'],
      ['listing', 'MarketListed'],
    ];
    for (const [use, type] of acts) {
      expect(average(type), type)
        .to.be.at.most(JOURNAL_BYTES[use])
        .and.at.least(JOURNAL_BYTES[use] / 2);
    }
    const all = [...stored.values()].reduce((sum, { bytes }) => sum + bytes, 0) * ON_DISK;
    const counted = [...demo.demo.journal.counts].reduce((sum, [use, times]) => sum + times * JOURNAL_BYTES[use], 0);
    expect(all, 'what the exchange decided').to.be.at.most(counted);
    expect(counted, 'what was counted').to.be.at.most(all * 1.6);
  });

  it('stops the traders before the quotes, and gives an hour back within an hour', () => {
    let nowMs = 0;
    const budget = new JournalBudget(() => nowMs);
    const spend = (): void => {
      while (budget.allowsTrades) budget.count('order');
    };
    spend();
    expect(budget.allowsQuotes).to.equal(true);
    while (budget.allowsQuotes) budget.count('cancel');
    expect(budget.allowsTrades).to.equal(false);
    nowMs += HOUR;
    expect(budget.allowsTrades).to.equal(true);
  });

  it('allows less than the limit in any day, however much is wanted', () => {
    let nowMs = 0;
    const budget = new JournalBudget(() => nowMs);
    for (; nowMs < 24 * HOUR; nowMs += 1_000) while (budget.allowsQuotes) budget.count('resolution');
    const spent = (budget.counts.get('resolution') ?? 0) * JOURNAL_BYTES.resolution;
    expect(spent).to.be.within(JOURNAL_BYTES_A_DAY * 0.85, JOURNAL_BYTES_A_DAY);
  });
});
