import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata } from '@grpc/grpc-js';
import type { ServiceError, StatusObject } from '@grpc/grpc-js';
import type { Failure } from './faults.ts';
import type { ExpectedRevision, ProposedEvent, RecordedEvent } from './stream-log.ts';

/** The fields that both append messages share. */
interface ProposedMessage {
  getCustomMetadata_asU8(): Uint8Array;
  getData_asU8(): Uint8Array;
  getId(): UUID | undefined;
  getMetadataMap(): { get(key: string): string | undefined };
}

/** The fields that all messages with an expected revision share. Batches name the revision itself differently. */
interface ExpectingOptions {
  hasAny(): boolean;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
}

/** .NET counts time in ticks of 100 ns. */
const TICKS_PER_MS = 10_000n;

export function streamName(identifier: StreamIdentifier | undefined): string {
  if (identifier === undefined) throw new Error('the call names no stream');
  return Buffer.from(identifier.getStreamName_asU8()).toString('utf8');
}

export function streamIdentifier(name: string): StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(name, 'utf8'));
}

export function proposedEvent(message: ProposedMessage): ProposedEvent {
  const metadata = message.getMetadataMap();
  return {
    contentType: metadata.get('content-type') ?? '',
    data: message.getData_asU8(),
    id: message.getId()?.getString() ?? '',
    metadata: message.getCustomMetadata_asU8(),
    type: metadata.get('type') ?? '',
  };
}

/** The expected revision of an append: `revision` where the options contain a number, else one of the three words. */
export function expectedRevision(options: ExpectingOptions, revision: () => string): ExpectedRevision {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  return Number(revision());
}

export function eventResponse(event: RecordedEvent): ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(streamIdentifier(event.stream))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(String(event.position))
    .setPreparePosition(String(event.position))
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.contentType)
    .set('created', String(BigInt(event.createdMs) * TICKS_PER_MS));
  const readEvent = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(String(event.position));
  return new streams.ReadResp().setEvent(readEvent);
}

export function confirmationResponse(subscriptionId: string): ReadResp {
  return new streams.ReadResp().setConfirmation(
    new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(subscriptionId),
  );
}

export function caughtUpResponse(): ReadResp {
  return new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());
}

export function notFoundResponse(stream: string): ReadResp {
  return new streams.ReadResp().setStreamNotFound(
    new streams.ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(stream)),
  );
}

/** The error with which gRPC ends a call. */
export function serviceError({ code, message, trailers = {} }: Failure): ServiceError {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value);
  const status: StatusObject = { code, details: message, metadata };
  return Object.assign(new Error(message), status);
}
