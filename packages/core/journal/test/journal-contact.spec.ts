import {
  AppendRefused,
  AppendUnknown,
  createMemoryJournal,
  createMemoryLog,
  EMPTY_HEAD,
  JournalContact,
  WrongExpectedHead,
} from '../src/index.ts';
import { JOURNAL_SILENT } from '../src/journal-contact.ts';
import type { Journal } from '../src/index.ts';
import { FakeClock } from '@paper/testkit';
import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';

describe('the contact with the journal', () => {
  let clock: FakeClock;
  let heads: number;
  /** The fault of each call; null: the call is answered. */
  let fault: (() => Promise<never>) | null;
  let contact: JournalContact;

  beforeEach(() => {
    clock = new FakeClock();
    heads = 0;
    fault = null;
    const inner = createMemoryJournal(createMemoryLog());
    const failing: Journal = {
      ...inner,
      append: () => fault?.() ?? Promise.resolve(),
      head: () => {
        heads += 1;
        return fault?.() ?? inner.head();
      },
      read: (from, limit) => fault?.() ?? inner.read(from, limit),
    };
    contact = new JournalContact(failing, clock);
  });
  const fails = (error: Error): void => {
    fault = () => Promise.reject(error);
  };

  for (const [what, ask] of [
    ['a read', (journal: Journal) => journal.read(1, 1)],
    ['a head', (journal: Journal) => journal.head()],
    ['an append', (journal: Journal) => journal.append(EMPTY_HEAD, [])],
  ] as const) {
    it(`is made by ${what} that is answered, and by none that is not`, async () => {
      await ask(contact.journal);
      expect(contact.silentMs).to.equal(0);
      clock.advance(5_000);
      fails(new AppendUnknown('no answer'));
      await Promise.resolve(ask(contact.journal)).catch(() => undefined);
      expect(contact.silentMs).to.equal(5_000);
    });
  }

  it('is also made by an answer that the caller does not like', async () => {
    for (const error of [new AppendRefused('too large'), new WrongExpectedHead(EMPTY_HEAD, EMPTY_HEAD)]) {
      clock.advance(5_000);
      fails(error);
      expect(await contact.journal.append(EMPTY_HEAD, []).catch((caught: unknown) => caught)).to.equal(error);
      expect(contact.silentMs).to.equal(0);
    }
  });

  it('is asked for where the journal has said nothing for a second, by one question at a time', async () => {
    contact.probe();
    await turn();
    expect(contact.silentMs).to.equal(0);
    clock.advance(999);
    contact.probe();
    expect(heads).to.equal(1);
    clock.advance(1);
    fault = () => new Promise(() => undefined);
    for (let times = 0; times < 5; times += 1) contact.probe();
    expect(heads).to.equal(2);
  });

  it('is missed by one who needs it all the time once it was silent for two seconds', async () => {
    expect(await contact.answers()).to.equal(true);
    fails(new Error('no connection'));
    for (const reason of [null, null, JOURNAL_SILENT]) {
      expect(contact.unhealthyReason()).to.equal(reason);
      await turn();
      clock.advance(1_000);
    }
    fault = null;
    expect(contact.unhealthyReason()).to.equal(JOURNAL_SILENT);
    await turn();
    expect(contact.unhealthyReason()).to.equal(null);
  });

  it('is there for one who is about to lead where the journal answers within a second', async () => {
    expect(await contact.answers()).to.equal(true);
    clock.advance(10_000);
    fails(new Error('no connection'));
    expect(await contact.answers()).to.equal(false);
    fault = () => new Promise(() => undefined);
    const late = contact.answers();
    await turn();
    clock.advance(1_000);
    expect(await late).to.equal(false);
  });
});
