import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { AppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '../port.ts';
import type { Begin } from './connection.ts';
import { WrongVersion } from './failures.ts';
import { propose, revisionOf, seqOf } from './layout.ts';

/** Which events of a stream: so many from a sequence on, or the last one. */
export type Range = 'last' | { readonly count: number; readonly fromSeq: number };

/**
 * Appends behind `afterSeq`, all or nothing, and answers with the sequence of the last event. The server answers the
 * same where events with these ids stand there already.
 *
 * @throws WrongVersion, and errors of gRPC.
 */
export function append(stream: string, afterSeq: number, batch: readonly StoredEvent[]): Begin<StreamsClient, number> {
  return (service, metadata, options) => {
    const { promise, reject, resolve } = deferred<number>();
    const call = service.append(metadata, options, (error, response: AppendResp | undefined) => {
      const success = response?.getSuccess();
      const wrong = response?.getWrongExpectedVersion();
      if (success !== undefined) resolve(seqOf(Number(success.getCurrentRevision())));
      else if (wrong !== undefined) {
        reject(new WrongVersion(wrong.hasCurrentRevision() ? seqOf(Number(wrong.getCurrentRevision())) : 0));
      } else reject(error ?? new Error('EventStoreDB has answered an append with neither success nor failure'));
    });
    const expected = new streams.AppendReq.Options().setStreamIdentifier(identifier(stream));
    if (afterSeq === 0) expected.setNoStream(new shared.Empty());
    else expected.setRevision(String(revisionOf(afterSeq)));
    call.write(new streams.AppendReq().setOptions(expected));
    for (const event of batch) {
      const message = propose(new streams.AppendReq.ProposedMessage(), event);
      call.write(new streams.AppendReq().setProposedMessage(message));
    }
    call.end();
    return { answer: promise, call };
  };
}

/** Reads to the end of the range; of a stream that does not exist, nothing. @throws errors of gRPC. */
export function read(stream: string, range: Range): Begin<StreamsClient, readonly ReadResp[]> {
  return (service, metadata, options) => {
    const { promise, reject, resolve } = deferred<readonly ReadResp[]>();
    const where = new streams.ReadReq.Options.StreamOptions().setStreamIdentifier(identifier(stream));
    const what = readOptions(where);
    if (range === 'last') {
      where.setEnd(new shared.Empty());
      what.setReadDirection(streams.ReadReq.Options.ReadDirection.BACKWARDS).setCount('1');
    } else {
      where.setRevision(String(revisionOf(range.fromSeq)));
      what.setReadDirection(streams.ReadReq.Options.ReadDirection.FORWARDS).setCount(String(range.count));
    }
    const call = service.read(new streams.ReadReq().setOptions(what), metadata, options);
    const events: ReadResp[] = [];
    // What cannot be read would throw into gRPC here, so it is looked at when all of it is there.
    call.on('data', (message: ReadResp) => {
      if (message.hasEvent()) events.push(message);
    });
    call.on('error', reject);
    call.on('end', () => resolve(events));
    return { answer: promise, call };
  };
}

/**
 * Calls `arrived` when the subscription stands and at every event that is appended from then on, until the call ends.
 * Events are not looked into: who is woken reads them.
 *
 * @throws errors of gRPC.
 */
export function subscribe(stream: string, arrived: () => void): Begin<StreamsClient, void> {
  return (service, metadata, options) => {
    const { promise, reject, resolve } = deferred<undefined>();
    const where = new streams.ReadReq.Options.StreamOptions()
      .setStreamIdentifier(identifier(stream))
      .setEnd(new shared.Empty());
    const what = readOptions(where).setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
    const call = service.makeServerStreamRequest(
      '/event_store.client.streams.Streams/Read',
      (request: Uint8Array) => Buffer.from(request),
      (bytes) => bytes,
      new streams.ReadReq().setOptions(what).serializeBinary(),
      metadata,
      options,
    );
    call.on('data', arrived);
    call.on('error', reject);
    call.on('end', resolve);
    return { answer: promise, call };
  };
}

function readOptions(where: InstanceType<typeof streams.ReadReq.Options.StreamOptions>) {
  return new streams.ReadReq.Options()
    .setStream(where)
    .setResolveLinks(false)
    .setNoFilter(new shared.Empty())
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()));
}

function identifier(stream: string) {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly reject: (error: Error) => void;
  readonly resolve: (value: T) => void;
}

function deferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => (settle = { reject, resolve }));
  return { promise, ...(settle as unknown as Omit<Deferred<T>, 'promise'>) };
}
