import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { streamDeleted } from './faults.ts';
import type { Failure, ReadFault } from './faults.ts';
import type { RecordedEvent, StreamLog, StreamView } from './stream-log.ts';
import {
  caughtUpResponse,
  confirmationResponse,
  eventResponse,
  notFoundResponse,
  serviceError,
  streamName,
} from './wire.ts';

type ReadCall = ServerWritableStream<ReadReq, ReadResp>;

/** The parts of the server that reads and subscriptions use. */
export interface ReadContext {
  readonly cut: () => void;
  readonly log: StreamLog;
  /** Undefined where the server is ready. */
  readonly notReady: () => Failure | undefined;
  readonly readFault: () => ReadFault | undefined;
  readonly subscribeFault: () => ReadFault | undefined;
}

/**
 * Serves both kinds of Read: a read that ends, and a subscription that does not. Only streams by name are supported.
 */
export function readCall(context: ReadContext) {
  return (call: ReadCall): void => {
    const options = call.request.getOptions();
    const from = options?.getStream();
    if (options === undefined || from === undefined) {
      fail(call, { code: status.UNIMPLEMENTED, message: 'only streams by name can be read here' });
      return;
    }
    const stream = streamName(from.getStreamIdentifier());
    const subscribes = options.hasSubscription();
    const fault = faultOf(context, stream, subscribes);
    const notReady = context.notReady();
    if (notReady !== undefined) {
      fail(call, notReady);
      return;
    }
    const revision = from.hasRevision() ? Number(from.getRevision()) : from.hasEnd() ? 'end' : 'start';
    const guard = faultGuard(call, fault, context.cut);
    if (subscribes) {
      subscribe(call, guard, context.log, stream, revision);
    } else {
      const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
      read(call, guard, context.log.view(stream), { backwards, limit: Number(options.getCount()), revision, stream });
    }
  };
}

/** Tests plan and count the faults of events, not those of the metadata, which each journal follows all the time. */
function faultOf(context: ReadContext, stream: string, subscribes: boolean): ReadFault | undefined {
  if (isMetadata(stream)) return undefined;
  return subscribes ? context.subscribeFault() : context.readFault();
}

const isMetadata = (stream: string): boolean => stream.startsWith('$$');

type From = number | 'start' | 'end';

/** Called before each event, and at the end. Returns true when the fault has struck and nothing more may be sent. */
type Guard = () => boolean;

function faultGuard(call: ReadCall, fault: ReadFault | undefined, cut: () => void): Guard {
  let given = 0;
  let struck = false;
  return () => {
    if (struck) return true;
    if (fault === undefined || given < fault.after) {
      given += 1;
      return false;
    }
    struck = true;
    if (fault.kind === 'error') fail(call, fault.failure);
    if (fault.kind === 'end') call.end();
    if (fault.kind === 'cut') cut();
    return true;
  };
}

interface ReadOptions {
  readonly backwards: boolean;
  readonly limit: number;
  readonly revision: From;
  readonly stream: string;
}

function read(call: ReadCall, guard: Guard, view: StreamView, options: ReadOptions): void {
  const { backwards, limit, revision, stream } = options;
  if (view.kind === 'deleted') {
    fail(call, streamDeleted(stream));
    return;
  }
  if (view.kind === 'not_found') {
    if (guard()) return;
    call.write(notFoundResponse(stream));
    call.end();
    return;
  }
  let at = startOf(view, revision, backwards);
  let left = limit;
  pump(call, () => {
    const event = left > 0 ? view.at(at) : undefined;
    // A fault that is planned after the last event comes before the end of the stream.
    if (guard()) return 'stop';
    if (event === undefined) {
      call.end();
      return 'stop';
    }
    left -= 1;
    at += backwards ? -1 : 1;
    return event;
  });
}

function startOf(view: Extract<StreamView, { kind: 'found' }>, from: From, backwards: boolean): number {
  if (from === 'start') return backwards ? 0 : view.first;
  if (from === 'end') return backwards ? view.last : view.last + 1;
  return backwards ? Math.min(from, view.last) : Math.max(from, view.first);
}

/** A revision is that of the last event that the subscriber has. */
function subscribe(call: ReadCall, guard: Guard, log: StreamLog, stream: string, from: From): void {
  const initial = log.view(stream);
  const last = initial.kind === 'found' ? initial.last : -1;
  let next = from === 'start' ? 0 : (from === 'end' ? last : from) + 1;
  let live = false;
  if (initial.kind === 'deleted') {
    fail(call, streamDeleted(stream));
    return;
  }
  call.write(confirmationResponse(crypto.randomUUID()));
  const wake = pump(call, () => {
    const view = log.view(stream);
    if (view.kind === 'deleted') {
      fail(call, streamDeleted(stream));
      return 'stop';
    }
    if (view.kind === 'found') next = Math.max(next, view.first);
    const event = view.kind === 'found' ? view.at(next) : undefined;
    if (event === undefined) {
      if (!live) call.write(caughtUpResponse());
      live = true;
      return 'wait';
    }
    if (guard()) return 'stop';
    next += 1;
    return event;
  });
  const unwatch = isMetadata(stream) ? log.watchMetadata(wake) : log.watch(wake);
  call.on('cancelled', unwatch);
  call.on('finish', unwatch);
}

/**
 * Sends the events that `step` returns, no faster than the client reads them, until it returns 'stop'. After 'wait',
 * `step` is called again when the returned function is called.
 */
function pump(call: ReadCall, step: () => RecordedEvent | 'stop' | 'wait'): () => void {
  let stopped = false;
  let full = false;
  const run = (): void => {
    while (!stopped && !full) {
      const given = call.cancelled ? 'stop' : step();
      if (given === 'wait') return;
      if (given === 'stop') stopped = true;
      else full = !call.write(eventResponse(given));
    }
  };
  call.on('drain', () => {
    full = false;
    run();
  });
  run();
  return run;
}

function fail(call: ReadCall, failure: Failure): void {
  call.emit('error', serviceError(failure));
}
