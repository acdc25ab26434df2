import { ApiError, type BodyAnswer } from '@paper/contracts';
import type { Response } from 'express';

/** 200 with the body as JSON and the sequence it shows. */
export function sendAnswer(response: Response, answer: BodyAnswer<unknown>): void {
  // Made first: an answer that cannot be written as JSON becomes a clean 500.
  const bytes = Buffer.from(JSON.stringify(answer.body));
  response.statusCode = 200;
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  response.setHeader('x-journal-seq', answer.seq);
  end(response, bytes);
}

/** `{error, code}` and nothing else. Where the error says nothing of Retry-After, 429 and 503 ask for a second. */
export function sendError(response: Response, error: ApiError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.statusCode = error.status;
  response.setHeader('cache-control', 'no-store');
  if (error.status === 401) response.setHeader('www-authenticate', 'Bearer');
  if (error.status === 429 || error.status === 503) response.setHeader('retry-after', '1');
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  end(response, Buffer.from(JSON.stringify({ error: error.message, code: error.code })));
}

/** What a client is told of anything thrown. Of faults of ours it learns nothing but that. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Error) {
    // AbortSignal.timeout, wherever it was waited for.
    if (error.name === 'TimeoutError') return new ApiError('unavailable', 'It took too long; try again');
    // Express: a parameter whose percent-encoding is not UTF-8.
    if ('status' in error && error.status === 400) {
      return new ApiError('validation_failed', 'validation failure: path: the percent-encoding is not valid UTF-8');
    }
  }
  return new ApiError('internal', 'Internal error');
}

function end(response: Response, bytes: Buffer): void {
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', bytes.length);
  response.end(bytes);
}
