import { RULES_VERSION } from '@paper/exchange';
import type { StoredEvent } from '@paper/journal';
import { createMemoryJournal } from '@paper/journal';
import { expect } from 'chai';
import { JournalUnreadable } from '../src/writer/fold.ts';
import { assertReadsNewest } from '../src/writer/load.ts';
import { buy, serving } from './writer-harness.ts';

describe('the newest events of a journal', () => {
  let events: readonly StoredEvent[];

  before(async () => {
    const harness = await serving(['ada']);
    await harness.submit(buy('ada', 'm'));
    events = await createMemoryJournal(harness.log).read(1, 100);
  });

  /** Looks at a journal in whose event 1, an epoch's, one public text is replaced by another. */
  const look = (old: string | RegExp, other: string): Promise<void> => {
    const [epoch, ...rest] = events as [StoredEvent, ...StoredEvent[]];
    const publicText = epoch.publicText.replaceAll(old, other);
    const stored = [{ ...epoch, publicText }, ...rest];
    const head = () => Promise.resolve(events.at(-1)!);
    return assertReadsNewest({
      head,
      read: (from, limit) => Promise.resolve(stored.slice(from - 1, from - 1 + limit)),
    });
  };
  const refusal = (old: string | RegExp, other: string): Promise<unknown> =>
    look(old, other).catch((error: unknown) => error);

  it('are read where this build wrote them', async () => {
    await look('', '');
    await assertReadsNewest(createMemoryJournal());
  });

  it('of a newer version are named, with what to do', async () => {
    expect(await refusal(/"version":\d+/g, '"version":99'))
      .to.be.instanceOf(JournalUnreadable)
      .with.property('message')
      .that.matches(/^sequence 1 of the journal .* version 99 is unknown here.* start that build instead \(docs/);
  });

  it('of newer rules are named', async () => {
    expect(await refusal(`"rulesVersion":${RULES_VERSION}`, `"rulesVersion":${RULES_VERSION + 1}`))
      .to.be.instanceOf(JournalUnreadable)
      .with.property('message')
      .that.includes('run the build that wrote it');
  });
});
