import type { StoredEvent } from '@paper/journal';
import { withhold } from '@paper/journal';
import { expect } from 'chai';
import type { AuditableEvent } from '../src/journal/audited-event.ts';
import { eventsOf, PageMemory } from '../src/verify/threads/page.ts';
import { makeEvents } from './audited-journal.ts';

describe('a page of events in shared memory', () => {
  const events = makeEvents(7, 200);

  const readAgain = (written: readonly AuditableEvent[]): readonly AuditableEvent[] =>
    eventsOf({ count: written.length, page: new PageMemory().write(written) });

  const withTitle = (title: string): StoredEvent => ({
    ...(events[0] as StoredEvent),
    publicText: `{"title":"${title}"}`,
  });

  it('gives the same events again, whole and without private parts', () => {
    expect(readAgain(events)).to.deep.equal(events.map((event) => ({ ...event })));
    const withheld = events.map((event) => ({ ...withhold(event), privateText: null }));
    expect(readAgain(withheld)).to.deep.equal(withheld);
  });

  it('gives each character again, also one that UTF-8 does not have', () => {
    const titled = ['', 'ÄÖ', '日本', '𝒜', 'a\ud800b', '\udc00', '\0'].map(withTitle);
    expect(readAgain(titled)).to.deep.equal(titled);
  });

  it('gives only the first events if that many are wanted', () => {
    const page = new PageMemory().write(events);
    expect(eventsOf({ count: 3, page })).to.deep.equal(readAgain(events.slice(0, 3)));
    expect(eventsOf({ count: 0, page })).to.deep.equal([]);
  });

  it('reuses memory that was released, and takes more for longer texts', () => {
    const memory = new PageMemory();
    const first = memory.write(events);
    expect(memory.write(events).bytes).not.to.equal(first.bytes);
    memory.release(first);
    const again = memory.write(events.slice(0, 5));
    expect(again.bytes).to.equal(first.bytes);
    memory.release(again);
    const long = [withTitle('日'.repeat(5_000_000))];
    expect(eventsOf({ count: 1, page: memory.write(long) })).to.deep.equal(long);
  });
});
