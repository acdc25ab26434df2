import { Metadata, status } from '@grpc/grpc-js';
import { appendError } from '../port.ts';

/** The server answered that the stream does not end where the append expected. */
export class WrongVersion extends Error {
  override readonly name = 'WrongVersion';
  constructor(readonly endSeq: number) {
    super(`the stream ends at sequence ${endSeq}`);
  }
}

/** The server has only just started, or its cluster has no leader: it may soon be ready. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/** The stream does not hold a journal; a retry cannot help. */
export class NoJournal extends Error {
  override readonly name = 'NoJournal';
}

/** The server refused an append for another reason than the version. The reason is the name of a message type. */
export class Declined extends Error {
  override readonly name = 'Declined';
  constructor(
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** The error for a call that was given up after this time. Its code makes the client look for another connection. */
export function unanswered(timeoutMs: number): Error {
  return Object.assign(new Error(`no answer from EventStoreDB within ${timeoutMs} ms`), { code: status.UNAVAILABLE });
}

const REFUSALS: ReadonlySet<unknown> = new Set([
  status.INVALID_ARGUMENT,
  status.PERMISSION_DENIED,
  status.UNAUTHENTICATED,
]);

/** The server's own names for refusals, in a trailer of the call, in an append's answer, or from the client. */
const REFUSING_REASONS: ReadonlySet<string> = new Set([
  'access-denied',
  'maximum-append-size-exceeded',
  'stream-deleted',
  'event_store.client.AccessDenied',
  'event_store.client.BadRequest',
  'event_store.client.MaximumAppendSizeExceeded',
  'event_store.client.StreamDeleted',
]);

/**
 * Whether the same call may succeed later: after a lost connection, a timeout, or an answer that the server is
 * starting, busy or not the leader. Unknown errors count as temporary, so that nothing is guessed.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof NoJournal) return false;
  if (error instanceof Declined) return !REFUSING_REASONS.has(error.reason);
  return !REFUSING_REASONS.has(reasonOf(error)) && !REFUSALS.has(codeOf(error));
}

/** Converts the error of an append: AppendUnknown for a temporary one, else AppendRefused. */
export function appendFailure(error: unknown) {
  return appendError(error, isTransient(error));
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** The server's reason; for an error of the client itself its type, which has the same names. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (!('metadata' in error)) return 'type' in error ? String(error.type) : '';
  const value = error.metadata instanceof Metadata ? error.metadata.get('exception')[0] : undefined;
  return value?.toString() ?? '';
}

/** The same error, with a text: the client leaves some texts empty, which become the name of the error's type. */
export function withText(error: unknown): unknown {
  if (error instanceof Error && error.message === '') error.message = `EventStoreDB: ${reasonOf(error) || error.name}`;
  return error;
}

/** Whether the server reports, in any of its ways, that it is still starting. */
export function isNotReady(error: unknown): boolean {
  return error instanceof NotReady || (error instanceof Error && error.message.includes('Server Is Not Ready'));
}
