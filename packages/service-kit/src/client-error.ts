import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { STATUS_CODES } from 'node:http';
import { ApiError } from '@paper/contracts';

/**
 * Answers what never became a request: bytes that are not HTTP, headers that are too large or too slow, a body that is
 * too slow or cut. Node would answer with a bare status line; here too it is `{error, code}`.
 */
export function answerClientErrors(server: Server): void {
  const latest = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();
  server.prependListener('request', (request, response) => latest.set(request.socket, { request, response }));

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = toAnswer(error.code ?? '');
    if (answer === null || !socket.writable) {
      socket.destroy();
      return;
    }
    const current = latest.get(socket);
    if (current === undefined || (current.request.complete && current.response.writableFinished)) {
      writeRaw(socket, answer);
    } else if (!current.request.complete) {
      // The rest of the latest request is broken: if its answer has begun there is no room for another.
      if (current.response.headersSent) socket.destroy();
      else {
        current.response.statusCode = answer.status;
        writeRaw(socket, answer);
      }
    } else {
      // Garbage behind a good request waits until that one is answered.
      current.response.once('close', () => {
        if (socket.writable) writeRaw(socket, answer);
        else socket.destroy();
      });
    }
  });
  // CONNECT asks for a tunnel; Node would hang up without a word.
  server.on('connect', (_request, socket: Duplex) => writeRaw(socket, new ApiError('not_found', 'No such route')));
}

/** Maps Node's error code to an answer; null where no client is left to read one. */
function toAnswer(code: string): ApiError | null {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('request_timeout', 'The request did not arrive in time');
  }
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('payload_too_large', 'The headers are too large', 431);
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new ApiError('payload_too_large', 'The body is too large');
  if (code.startsWith('HPE_')) {
    return new ApiError('validation_failed', 'validation failure: request: not well-formed HTTP/1.1');
  }
  return null;
}

function writeRaw(socket: Duplex, error: ApiError): void {
  const body = JSON.stringify({ error: error.message, code: error.code });
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
    // Ended, but not for ever half-open: whatever the client still sends is of no interest.
    () => socket.destroy(),
  );
}
