import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { sendUnaryData, ServerDuplexStream, ServerReadableStream } from '@grpc/grpc-js';
import { batchOutcome, batchRefusal } from './batch-answers.ts';
import {
  ACCESS_DENIED,
  BUSY,
  NO_LEADER_INFO,
  NOT_READY,
  notLeader,
  streamDeleted,
  TIMED_OUT,
  tooLarge,
  UNKNOWN,
} from './faults.ts';
import type { AppendFault, Failure, Refusal } from './faults.ts';
import type { AppendOutcome, ExpectedRevision, ProposedEvent } from './stream-log.ts';
import { expectedRevision, proposedEvent, serviceError, streamName } from './wire.ts';

/** The parts of the server that appends use. */
export interface AppendContext {
  /** The fault of this append. Where it is undefined or does not change the log, `store` is called. */
  readonly fault: () => AppendFault | undefined;
  readonly store: (stream: string, expected: ExpectedRevision, events: readonly ProposedEvent[]) => AppendOutcome;
  readonly cut: () => void;
  /** The address of another node, which the server names as its leader. */
  readonly leader: () => { readonly host: string; readonly port: number };
}

/** The path that takes per-call credentials: one call an append. */
export function appendCall(context: AppendContext) {
  return (call: ServerReadableStream<AppendReq, AppendResp>, answer: sendUnaryData<AppendResp>): void => {
    let stream = '';
    let expected: ExpectedRevision = 'any';
    const events: ProposedEvent[] = [];
    call.on('data', (request: AppendReq) => {
      const options = request.getOptions();
      const message = request.getProposedMessage();
      if (options !== undefined) {
        stream = streamName(options.getStreamIdentifier());
        expected = expectedRevision(options, () => options.getRevision());
      } else if (message !== undefined) {
        events.push(proposedEvent(message));
      }
    });
    call.on('end', () => {
      const fault = context.fault();
      const fail = (failure: Failure): void => answer(serviceError(failure));
      const store = (): AppendOutcome => context.store(stream, expected, events);
      if (storesAllTheSame(fault)) store();
      switch (fault?.kind) {
        case 'silence':
          return;
        case 'cut':
          context.cut();
          return;
        case 'error':
          fail(fault.failure);
          return;
        case 'refusal':
          fail(refusalFailure(fault.reason, stream, context));
          return;
        case 'twice':
        case 'stray':
        case undefined:
          answerOutcome(store(), answer, fail);
      }
    });
  };
}

/** The default way to append: one stream of batches per client, each answered by its correlation id. */
export function batchAppendCall(context: AppendContext) {
  return (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>): void => {
    const batches = new Map<string, Batch>();
    call.on('data', (request: BatchAppendReq) => {
      const id = request.getCorrelationId()?.getString() ?? '';
      const options = request.getOptions();
      if (options !== undefined) {
        const expected = expectedRevision(options, () => options.getStreamPosition());
        batches.set(id, { events: [], expected, stream: streamName(options.getStreamIdentifier()) });
      }
      const batch = batches.get(id);
      if (batch === undefined) return;
      batch.events.push(...request.getProposedMessagesList().map(proposedEvent));
      if (!request.getIsFinal()) return;
      batches.delete(id);
      settleBatch(id, batch, call, context);
    });
    call.on('end', () => call.end());
  };
}

interface Batch {
  readonly events: ProposedEvent[];
  readonly expected: ExpectedRevision;
  readonly stream: string;
}

function settleBatch(
  id: string,
  { events, expected, stream }: Batch,
  call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>,
  context: AppendContext,
): void {
  const fault = context.fault();
  const store = (): AppendOutcome => context.store(stream, expected, events);
  if (storesAllTheSame(fault)) store();
  switch (fault?.kind) {
    case 'silence':
      return;
    case 'cut':
      context.cut();
      return;
    case 'error':
      call.emit('error', serviceError(fault.failure));
      return;
    case 'refusal': {
      const refusal = batchRefusal(id, stream, fault.reason);
      if (refusal === undefined) call.emit('error', serviceError(refusalFailure(fault.reason, stream, context)));
      else call.write(refusal);
      return;
    }
    case 'twice': {
      const outcome = store();
      call.write(batchOutcome(id, stream, outcome));
      call.write(batchOutcome(id, stream, outcome));
      return;
    }
    case 'stray': {
      const outcome = store();
      call.write(batchOutcome(crypto.randomUUID(), stream, outcome));
      call.write(batchOutcome(id, stream, outcome));
      return;
    }
    case undefined:
      call.write(batchOutcome(id, stream, store()));
  }
}

function storesAllTheSame(fault: AppendFault | undefined): boolean {
  return fault !== undefined && 'stored' in fault && fault.stored;
}

function answerOutcome(
  outcome: AppendOutcome,
  answer: sendUnaryData<AppendResp>,
  fail: (failure: Failure) => void,
): void {
  switch (outcome.kind) {
    case 'too_large':
      fail(tooLarge(outcome.limitBytes));
      return;
    case 'stream_deleted':
      fail(streamDeleted(outcome.stream));
      return;
    case 'stored':
      answer(null, new streams.AppendResp().setSuccess(unarySuccess(outcome)));
      return;
    case 'wrong_expected_version':
      answer(null, new streams.AppendResp().setWrongExpectedVersion(unaryWrongVersion(outcome)));
  }
}

function unarySuccess({ position, revision }: Extract<AppendOutcome, { kind: 'stored' }>) {
  const success = new streams.AppendResp.Success();
  if (revision === null) success.setNoStream(new shared.Empty());
  else success.setCurrentRevision(String(revision));
  if (position === null) return success.setNoPosition(new shared.Empty());
  return success.setPosition(
    new streams.AppendResp.Position().setCommitPosition(String(position)).setPreparePosition(String(position)),
  );
}

function unaryWrongVersion({ current, expected }: Extract<AppendOutcome, { kind: 'wrong_expected_version' }>) {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (current === null) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(current));
  if (expected === 'any') return wrong.setExpectedAny(new shared.Empty());
  if (expected === 'no_stream') return wrong.setExpectedNoStream(new shared.Empty());
  if (expected === 'stream_exists') return wrong.setExpectedStreamExists(new shared.Empty());
  return wrong.setExpectedRevision(String(expected));
}

function refusalFailure(reason: Refusal, stream: string, context: AppendContext): Failure {
  switch (reason) {
    case 'access_denied':
      return ACCESS_DENIED;
    case 'busy':
      return BUSY;
    case 'no_leader_info':
      return NO_LEADER_INFO;
    case 'not_leader': {
      const { host, port } = context.leader();
      return notLeader(host, port);
    }
    case 'not_ready':
      return NOT_READY;
    case 'stream_deleted':
      return streamDeleted(stream);
    case 'timeout':
      return TIMED_OUT;
    case 'unknown':
      return UNKNOWN;
  }
}
