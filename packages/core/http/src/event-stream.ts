import type { Socket } from 'node:net';
import { headersOf } from './call.ts';
import type { Call } from './call.ts';

/** A watcher's stream of server-sent events, from its first byte on. */
export interface EventStream {
  readonly buffered: number;
  /** Writes whole lines of an event stream. Does nothing after the end. */
  readonly write: (bytes: Buffer) => void;
  /** Resolves when the client has received what was written, or has disconnected. */
  readonly drained: () => Promise<void>;
  readonly end: () => void;
  readonly cut: () => void;
}

/**
 * Sends the head of the answer with `first`, and returns the stream for further writes. `seq`: the journal sequence
 * that the stream begins at; null if it has none. `closed` is called once, later, when the connection is closed: also
 * after `end` and `cut`.
 */
export type BeginStream = (seq: number | null, first: Buffer, closed: () => void) => EventStream;

/** The first stream of each connection. It ends with its connection, so nothing of a stream behind it is ever sent. */
const firstStreams = new WeakMap<Socket, Call>();

export function beginStream(call: Call): BeginStream {
  return (seq, first, closed) => {
    const { request, response } = call;
    const { socket } = request;
    let open = true;
    // After the response head the stream writes to the socket directly, since Node's response object would only add
    // time. The response gets its socket later if an earlier request of the same connection is still being answered.
    let sink: Pick<Socket, 'write' | 'writableLength'> = response.socket ?? response;
    if (sink === response) response.once('socket', (assigned: Socket) => (sink = assigned));
    const stream: EventStream = {
      get buffered() {
        return sink.writableLength;
      },
      write(bytes) {
        if (open) sink.write(bytes);
      },
      async drained() {
        if (!open || !socket.writableNeedDrain) return;
        await new Promise<void>((resolve) => {
          const done = (): void => {
            socket.off('drain', done).off('close', done);
            resolve();
          };
          socket.once('drain', done).once('close', done);
        });
      },
      end() {
        if (!open) return;
        open = false;
        response.end();
      },
      cut() {
        // A response whose turn has not come would keep its bytes until its connection is closed.
        if (open && response.socket === null) socket.destroy();
        else response.destroy();
        open = false;
      },
    };
    const onClose = (): void => {
      open = false;
      socket.off('end', stream.end);
      closed();
    };
    const former = firstStreams.get(socket);
    const isBehind = former !== undefined && former.startedMs <= call.startedMs;
    // An answer that took too long has been refused by now, also where its refusal waits for the answer before it.
    if (response.closed || response.headersSent || socket.destroyed || isBehind) {
      open = false;
      setImmediate(closed);
      return stream;
    }
    firstStreams.set(socket, call);
    response.once('close', onClose);
    call.isStream = true;
    // A body that ends with its connection needs no frame around each event, so all clients get the same bytes.
    response.useChunkedEncodingByDefault = false;
    const headers = headersOf(call);
    if (seq !== null) headers.push('x-journal-seq', seq);
    headers.push(
      ...['content-type', 'text/event-stream; charset=utf-8', 'connection', 'close'],
      // A proxy or a middleware that compresses would hold events back until its buffer is full.
      ...['cache-control', `${call.isPrivate ? 'no-store' : 'no-cache'}, no-transform`, 'x-accel-buffering', 'no'],
    );
    response.writeHead(200, headers as string[]);
    // A client that closed its sending side has left. Without this, only a reset at the next event would show it.
    socket.once('end', stream.end);
    response.write(first);
    if (request.method === 'HEAD' || socket.readableEnded) stream.end();
    return stream;
  };
}
