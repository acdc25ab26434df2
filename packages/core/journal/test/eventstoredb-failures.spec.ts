import { Metadata, status } from '@grpc/grpc-js';
import { AccessDeniedError, DeadlineExceededError } from '@eventstore/db-client';
import { expect } from 'chai';
import {
  appendFailure,
  Declined,
  isTransient,
  NoJournal,
  NotReady,
  unanswered,
  withText,
} from '../src/eventstoredb/failures.ts';
import { AppendRefused, AppendUnknown } from '../src/index.ts';

function failing(code: status, exception?: string): Error {
  const metadata = new Metadata();
  if (exception !== undefined) metadata.set('exception', exception);
  return Object.assign(new Error('as EventStoreDB says'), { code, metadata });
}

describe('failures of an append to EventStoreDB', () => {
  const unknown: readonly (readonly [string, unknown])[] = [
    ['an own timer', unanswered(5_000)],
    ['an error without a code', new Error('Channel has been shut down')],
    ['what is no error', 'a string'],
    ['a server that does not lead', new NotReady('no leader')],
    ['a lost connection', failing(status.UNAVAILABLE)],
    ['a deadline', failing(status.DEADLINE_EXCEEDED)],
    ['a commit that timed out', failing(status.ABORTED)],
    ['a cancelled call', failing(status.CANCELLED)],
    ['another leader', failing(status.NOT_FOUND, 'not-leader')],
    ['a server that cannot say', failing(status.UNKNOWN)],
    ['an internal error', failing(status.INTERNAL)],
    ['a timeout in the answer', new Declined('event_store.client.Timeout', 'Timeout')],
    ['a server that starts', new Declined('google.protobuf.Empty', 'Server Is Not Ready')],
    ['an answer without a reason', new Declined('', '')],
    ['a deadline of the client', new DeadlineExceededError()],
  ];
  for (const [what, cause] of unknown) {
    it(`leave the outcome unknown after ${what}`, () => {
      expect(appendFailure(cause)).to.be.instanceOf(AppendUnknown).and.include({ cause });
      expect(isTransient(cause)).to.equal(true);
    });
  }

  const refused: readonly (readonly [string, unknown])[] = [
    ['a missing right', failing(status.PERMISSION_DENIED, 'access-denied')],
    ['a wrong password', failing(status.UNAUTHENTICATED)],
    ['a batch that is too large', failing(status.INVALID_ARGUMENT, 'maximum-append-size-exceeded')],
    ['an argument that the server cannot read', failing(status.INVALID_ARGUMENT)],
    ['a stream that was deleted', failing(status.FAILED_PRECONDITION, 'stream-deleted')],
    ['a missing right in the answer', new Declined('event_store.client.AccessDenied', 'Access denied')],
    ['a batch that is too large for it', new Declined('event_store.client.MaximumAppendSizeExceeded', 'too large')],
    ['a deleted stream in the answer', new Declined('event_store.client.StreamDeleted', 'deleted')],
    ['a request that it cannot read', new Declined('event_store.client.BadRequest', 'bad')],
    ['a missing right, of the client', new AccessDeniedError()],
    ['a stream that is no journal', new NoJournal('a hole')],
  ];
  for (const [what, cause] of refused) {
    it(`are refusals after ${what}`, () => {
      expect(appendFailure(cause)).to.be.instanceOf(AppendRefused).and.include({ cause });
      expect(isTransient(cause)).to.equal(false);
    });
  }

  it('have a text where the client gives none: npm run roles ended with an empty line', () => {
    expect(String(withText(new DeadlineExceededError()))).to.equal('Error: EventStoreDB: deadline-exceeded');
    const lost = failing(status.UNAVAILABLE);
    expect(withText(lost)).to.equal(lost).and.include({ message: 'as EventStoreDB says' });
  });
});
