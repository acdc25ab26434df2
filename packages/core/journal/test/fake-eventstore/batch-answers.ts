import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { status as grpcStatus } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { Refusal } from './faults.ts';
import type { AppendOutcome } from './stream-log.ts';
import { streamIdentifier } from './wire.ts';

/** An error within the stream of batches. Its numbers are google.rpc.Code's, which are those of gRPC's status. */
interface BatchError {
  readonly code: grpcStatus;
  readonly details: { serializeBinary(): Uint8Array };
  readonly message: string;
  readonly typeName: string;
}

/** The answer to a batch that came to this outcome. */
export function batchOutcome(correlationId: string, stream: string, outcome: AppendOutcome): BatchAppendResp {
  if (outcome.kind === 'stored') return batchStored(correlationId, stream, outcome);
  return batchError(correlationId, stream, errorOf(outcome));
}

/** The answer to a batch that the server cannot take; undefined where it ends the stream of batches instead. */
export function batchRefusal(correlationId: string, stream: string, reason: Refusal): BatchAppendResp | undefined {
  const error = refusalError(reason, stream);
  return error === undefined ? undefined : batchError(correlationId, stream, error);
}

type Stored = Extract<AppendOutcome, { kind: 'stored' }>;

function batchStored(correlationId: string, stream: string, { position, revision }: Stored): BatchAppendResp {
  const success = new streams.BatchAppendResp.Success();
  if (revision === null) success.setNoStream(new empty.Empty());
  else success.setCurrentRevision(String(revision));
  if (position === null) success.setNoPosition(new empty.Empty());
  else success.setPosition(allStreamPosition(position));
  return response(correlationId, stream).setSuccess(success);
}

function batchError(correlationId: string, stream: string, error: BatchError): BatchAppendResp {
  const details = new any.Any();
  details.pack(error.details.serializeBinary(), error.typeName);
  const stated: Status = new status.Status();
  stated.setCode(error.code as unknown as Parameters<Status['setCode']>[0]);
  stated.setMessage(error.message);
  stated.setDetails(details);
  return response(correlationId, stream).setError(stated);
}

function response(correlationId: string, stream: string): BatchAppendResp {
  return new streams.BatchAppendResp()
    .setCorrelationId(new shared.UUID().setString(correlationId))
    .setStreamIdentifier(streamIdentifier(stream));
}

function allStreamPosition(position: number) {
  return new shared.AllStreamPosition().setCommitPosition(String(position)).setPreparePosition(String(position));
}

function errorOf(outcome: Exclude<AppendOutcome, Stored>): BatchError {
  switch (outcome.kind) {
    case 'wrong_expected_version':
      return wrongExpectedVersion(outcome);
    case 'too_large':
      return {
        code: grpcStatus.INVALID_ARGUMENT,
        details: new shared.MaximumAppendSizeExceeded().setMaxappendsize(outcome.limitBytes),
        message: 'MaximumAppendSizeExceeded',
        typeName: 'event_store.client.MaximumAppendSizeExceeded',
      };
    case 'stream_deleted':
      return streamDeletedError(outcome.stream);
  }
}

function wrongExpectedVersion({
  current,
  expected,
}: Extract<AppendOutcome, { kind: 'wrong_expected_version' }>): BatchError {
  const details = new shared.WrongExpectedVersion();
  if (current === null) details.setCurrentNoStream(new empty.Empty());
  else details.setCurrentStreamRevision(String(current));
  if (expected === 'any') details.setExpectedAny(new empty.Empty());
  else if (expected === 'no_stream') details.setExpectedNoStream(new empty.Empty());
  else if (expected === 'stream_exists') details.setExpectedStreamExists(new empty.Empty());
  else details.setExpectedStreamPosition(String(expected));
  const typeName = 'event_store.client.WrongExpectedVersion';
  return { code: grpcStatus.ALREADY_EXISTS, details, message: 'WrongExpectedVersion', typeName };
}

function streamDeletedError(stream: string): BatchError {
  return {
    code: grpcStatus.NOT_FOUND,
    details: new shared.StreamDeleted().setStreamIdentifier(streamIdentifier(stream)),
    message: 'StreamDeleted',
    typeName: 'event_store.client.StreamDeleted',
  };
}

function refusalError(reason: Refusal, stream: string): BatchError | undefined {
  switch (reason) {
    case 'access_denied':
      return {
        code: grpcStatus.PERMISSION_DENIED,
        details: new shared.AccessDenied(),
        message: 'AccessDenied',
        typeName: 'event_store.client.AccessDenied',
      };
    case 'timeout':
      return {
        code: grpcStatus.DEADLINE_EXCEEDED,
        details: new shared.Timeout(),
        message: 'Timeout',
        typeName: 'event_store.client.Timeout',
      };
    case 'unknown':
      return {
        code: grpcStatus.UNKNOWN,
        details: new shared.Unknown(),
        message: 'Unknown',
        typeName: 'event_store.client.Unknown',
      };
    case 'stream_deleted':
      return streamDeletedError(stream);
    case 'not_ready':
      return unhandled('Server Is Not Ready');
    case 'busy':
      return unhandled('Server Is Busy');
    case 'no_leader_info':
      return unhandled('No leader info available in response');
    case 'not_leader':
      return undefined;
  }
}

/** The error of a request that the server refused before handling it: its code is 0, and only its message says why. */
function unhandled(message: string): BatchError {
  return { code: grpcStatus.OK, details: new empty.Empty(), message, typeName: 'google.protobuf.Empty' };
}
