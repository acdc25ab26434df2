import { storedBytes } from '@paper/journal';
import { expect } from 'chai';
import { dayOf, FleetUsage, startOfDay } from '../../src/usage/fleet-usage.ts';
import { usageOf, usageTable } from '../../src/usage/usage-table.ts';
import { buy, keyOf, serving } from '../writer-harness.ts';

const DAY = 20_000;

/** Usage of these fleets, each with so many commands of one event and ten bytes, on days from DAY on. */
const usageOn = (...days: readonly Readonly<Record<string, number>>[]): FleetUsage =>
  FleetUsage.of(
    days.flatMap((fleets, index) =>
      Object.entries(fleets).map(([primaryAccountId, commands]) => ({
        bytes: 10 * commands,
        commands,
        day: DAY + index,
        events: commands,
        primaryAccountId,
      })),
    ),
  );

const ids = (usage: FleetUsage, day: number) => usage.most(day).map(({ primaryAccountId }) => primaryAccountId);

describe('the usage of fleets', () => {
  it('is what their commands appended: commands, events, and the bytes of these in the journal', async () => {
    const harness = await serving(['ada', 'bob']);
    const before = harness.log.events.length;
    await harness.submit({ ...buy('bob', 'm', 6_000), outcome: 'no' });
    const bobs = harness.log.events.slice(before);
    await harness.submit(buy('ada', 'm', 4_000));
    await harness.submit({ by: keyOf('ada'), seconds: 60, type: 'SetDeadManSwitch' });
    const adas = harness.log.events.slice(before + bobs.length);
    const bytes = (events: typeof adas) => events.reduce((sum, event) => sum + storedBytes(event), 0);
    // Neither what the operator appended nor the epoch is of a fleet.
    expect(harness.writer.usage?.most(dayOf(harness.clock.now()))).to.deep.equal([
      { primaryAccountId: 'ada', commands: 2, events: 3, bytes: bytes(adas) },
      { primaryAccountId: 'bob', commands: 1, events: 1, bytes: bytes(bobs) },
    ]);
  });

  it('lists the 100 fleets with most commands of a day, most first, the lower id first of as many', () => {
    const fleets = Object.fromEntries(Array.from({ length: 102 }, (_, n) => [`fleet-${n + 100}`, n < 2 ? 1 : 2]));
    const usage = usageOn({ ...fleets, busy: 3 }, { other: 1 });
    expect(ids(usage, DAY)).to.have.lengthOf(100);
    expect(ids(usage, DAY).slice(0, 3)).to.deep.equal(['busy', 'fleet-102', 'fleet-103']);
    expect(ids(usage, DAY + 1)).to.deep.equal(['other']);
    expect(ids(usage, DAY + 2)).to.deep.equal([]);
  });

  it('knows 30 days', () => {
    const usage = usageOn(...Array.from({ length: 31 }, () => ({ ada: 1 })));
    expect(ids(usage, DAY)).to.deep.equal([]);
    expect(ids(usage, DAY + 1)).to.deep.equal(['ada']);
    expect(ids(usage, DAY + 30)).to.deep.equal(['ada']);
  });

  it('begins each UTC day anew', () => {
    const usage = usageOn({ ada: 5 });
    expect(usage.commands('ada', startOfDay(DAY + 1) - 1)).to.equal(5);
    expect(usage.commands('ada', startOfDay(DAY + 1))).to.equal(0);
    expect(usage.commands('bob', startOfDay(DAY))).to.equal(0);
  });

  it('is the same after it was stored', () => {
    const usage = usageOn({ ada: 5, bob: 2 }, { bob: 9 }, { cy: 1, ada: 7 });
    const again = usageOf(usageTable(usage));
    expect([...again.rows()]).to.deep.equal([...usage.rows()]);
    expect(again.commands('ada', startOfDay(DAY + 2))).to.equal(7);
    expect(again.most(DAY)).to.deep.equal(usage.most(DAY));
  });
});
