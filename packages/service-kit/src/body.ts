import type { IncomingMessage } from 'node:http';
import { ApiError } from '@paper/contracts';

const NOTHING = Buffer.alloc(0);
/** How much of a refused request is read, so that the client receives the answer instead of a reset. */
const DISCARD_BYTES_MAX = 8 * 1024 * 1024;
const DISCARD_MS_MAX = 1_000;

/**
 * Reads a JSON body whole: 415 for anything but application/json in UTF-8 without a content coding, 413 over
 * `maxBytes`, 400 when it ends early. No body at all gives no bytes. Slow bodies are the server's to end (408).
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const length = request.headers['content-length'];
  const chunked = request.headers['transfer-encoding'] !== undefined;
  const type = request.headers['content-type'];
  if (type === undefined && !chunked && (length === undefined || length === '0')) return NOTHING;
  assertJson(type, request.headers['content-encoding']);
  if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= maxBytes) return;
      stop();
      request.pause();
      reject(tooLarge(maxBytes));
    };
    const onEnd = (): void => {
      stop();
      resolve(Buffer.concat(chunks));
    };
    const onCut = (): void => {
      stop();
      reject(new ApiError('validation_failed', 'validation failure: body: it ended before it was complete'));
    };
    request.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
  });
}

/** Parses a body's bytes. Throws ApiError validation_failed: bytes that are not UTF-8 and text that is not JSON. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) {
    throw new ApiError('validation_failed', 'validation failure: body: a JSON object is required');
  }
  let text: string;
  try {
    // A byte order mark is kept, so that JSON.parse refuses it: RFC 8259 forbids sending one.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ApiError('validation_failed', 'validation failure: body: not valid UTF-8');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ApiError('validation_failed', 'validation failure: body: not valid JSON');
  }
}

/**
 * Prepares the answer to a request whose body was not read. Resolves to whether the connection can be kept. Where the
 * connection stays, Node discards a short body after the answer. A body that is long, chunked, or the last on its
 * connection is discarded here, up to a limit of bytes and time. Closing the connection earlier would reset it, and the
 * client might lose the answer. The rest of a longer body ends with the connection.
 */
export async function settleUnreadBody(request: IncomingMessage, staysOpen: boolean): Promise<boolean> {
  if (request.complete || request.destroyed) return true;
  const length = request.headers['content-length'];
  if (length === undefined && request.headers['transfer-encoding'] === undefined) return true;
  if (staysOpen && length !== undefined && Number(length) <= DISCARD_BYTES_MAX) return true;
  let bytes = 0;
  return new Promise((resolve) => {
    const settle = (complete: boolean): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      resolve(complete);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > DISCARD_BYTES_MAX) settle(false);
    };
    const onEnd = (): void => settle(true);
    const onCut = (): void => settle(false);
    const timer = setTimeout(onCut, DISCARD_MS_MAX);
    request.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
    request.resume();
  });
}

function assertJson(type: string | undefined, coding: string | undefined): void {
  const [essence = '', ...parameters] = (type ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((part) => part.startsWith('charset='));
  const utf8 = charsets.every((part) => /^charset="?utf-?8"?$/.test(part));
  if (essence !== 'application/json' || !utf8) {
    throw new ApiError('unsupported_media_type', 'The body must be application/json in UTF-8');
  }
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
    throw new ApiError('unsupported_media_type', 'The body must be sent without a content coding');
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('payload_too_large', `The body is larger than ${maxBytes} bytes`);
}
