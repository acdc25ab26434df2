import { expect } from 'chai';
import { PendingCommand, LONGEST_WAIT_MS, UnansweredRequests } from '../src/writer/pending-command.ts';
import type { PendingRequest } from '../src/writer/pending-command.ts';
import { requestFor, buy } from './writer-harness.ts';
import { FakeClock } from '@paper/testkit';

const ticket = (): PendingCommand =>
  new PendingCommand(
    ...requestFor(buy('ada', 'm')),
    false,
    () => undefined,
    () => undefined,
  );

describe('commands that wait for an answer', () => {
  it('one that was given a new full wait kept those behind it waiting longer than theirs', () => {
    const clock = new FakeClock();
    const expired: PendingRequest[] = [];
    const unanswered = new UnansweredRequests(clock, (each) => {
      expired.push(each);
      unanswered.delete(each);
    });
    const [first, second] = [ticket(), ticket()];
    unanswered.add(first);
    clock.advance(1_000);
    unanswered.add(second);
    clock.advance(3_000);
    unanswered.add(first);
    expect(unanswered.size).to.equal(2);
    clock.advance(LONGEST_WAIT_MS - 3_000 - 1);
    expect(expired).to.deep.equal([]);
    clock.advance(1);
    expect(expired).to.deep.equal([second]);
    clock.advance(2_999);
    expect(expired).to.deep.equal([second]);
    clock.advance(1);
    expect(expired).to.deep.equal([second, first]);
    expect(unanswered.all()).to.deep.equal([]);
  });
});
