import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { deferred } from './connection.ts';
import type { BeginCall, Connection } from './connection.ts';
import { revisionOf } from './layout.ts';

/** The events to read from a stream: a number of events from a sequence on, or the last one. */
export type ReadRange = 'last' | { readonly count: number; readonly fromSeq: number };

/**
 * Reads a range; nothing from a stream that does not exist. `parse` gets each event as it arrives, since keeping the
 * messages would cost more than all else.
 * @throws errors of gRPC, and the first error of `parse`.
 */
export function read<T>(
  stream: string,
  range: ReadRange,
  parse: (message: ReadResp) => T,
): BeginCall<StreamsClient, readonly T[]> {
  return (service, metadata, options) => {
    const { promise, reject, resolve } = deferred<readonly T[]>();
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
    const events: T[] = [];
    call.on('data', (message: ReadResp) => {
      if (!message.hasEvent()) return;
      try {
        events.push(parse(message));
      } catch (error) {
        // A throw here would go into gRPC.
        reject(error as Error);
      }
    });
    call.on('error', reject);
    call.on('end', () => resolve(events));
    return { answer: promise, call };
  };
}

/**
 * Calls `arrived` with each message from the end of the stream on, until the call ends or the signal aborts. The first
 * message confirms the subscription, the others are appended events.
 * @throws errors of gRPC.
 */
function subscribe(
  stream: string,
  arrived: (message: ReadResp) => void,
  signal: AbortSignal,
): BeginCall<StreamsClient, void> {
  return (service, metadata, options) => {
    const { promise, reject, resolve } = deferred<undefined>();
    const where = new streams.ReadReq.Options.StreamOptions()
      .setStreamIdentifier(identifier(stream))
      .setEnd(new shared.Empty());
    const what = readOptions(where).setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
    const call = service.read(new streams.ReadReq().setOptions(what), metadata, options);
    call.on('data', arrived);
    call.on('error', reject);
    call.on('end', resolve);
    // Resolves before it cancels: a call that ends as cancelled would make the client close its connection.
    const stop = (): void => {
      resolve(undefined);
      call.cancel();
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
    return { answer: promise.finally(() => signal.removeEventListener('abort', stop)), call };
  };
}

/** Subscribes until the signal aborts. @throws Error when the server ends the subscription to `what`; errors of gRPC */
export async function follow(
  connection: Connection,
  stream: string,
  arrived: (message: ReadResp) => void,
  signal: AbortSignal,
  what: string,
): Promise<void> {
  try {
    await connection.streams(null, subscribe(stream, arrived, signal));
  } catch (error) {
    // Closing the connection ends the call with an error.
    if (!signal.aborted) throw error;
  }
  if (!signal.aborted) throw new Error(`EventStoreDB has ended the subscription to ${what}`);
}

function readOptions(where: InstanceType<typeof streams.ReadReq.Options.StreamOptions>) {
  return new streams.ReadReq.Options()
    .setStream(where)
    .setResolveLinks(false)
    .setNoFilter(new shared.Empty())
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()));
}

export function identifier(stream: string) {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
}
