import { createFaultyJournal } from '@paper/testkit';
import type { Fault } from '@paper/testkit';
import { expect } from 'chai';
import { AppendRefused, AppendUnknown, createMemoryJournal, EMPTY_HEAD, WrongExpectedHead } from '../src/index.ts';
import { goldenEvents } from './golden/golden.ts';

describe('faulty journal', () => {
  const cases: [Fault, new (...args: never[]) => Error, number][] = [
    ['lost', AppendUnknown, 0],
    ['unanswered', AppendUnknown, goldenEvents.length],
    ['refused', AppendRefused, 0],
    ['fenced', WrongExpectedHead, 0],
  ];
  for (const [fault, failure, stored] of cases) {
    it(`${fault}: fails with ${failure.name}, ${stored === 0 ? 'nothing' : 'all'} stored, and passes the next`, async () => {
      const journal = createFaultyJournal(createMemoryJournal(), (attempt) => (attempt === 1 ? fault : null));
      const error: unknown = await journal.append(EMPTY_HEAD, goldenEvents).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(failure);
      expect((await journal.head()).seq).to.equal(stored);
      await journal.append(EMPTY_HEAD, goldenEvents);
      expect(await journal.read(1, 100)).to.deep.equal(goldenEvents);
    });
  }
});
