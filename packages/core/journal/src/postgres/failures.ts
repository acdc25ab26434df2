import { appendError, JournalDamaged } from '../port.ts';

/**
 * SQLSTATE classes after which the same statement would fail again: data exceptions, broken constraints, missing rights
 * or tables, a row beyond Postgres's limits, an exception raised by a trigger.
 */
const REFUSALS = new Set(['22', '23', '42', '54', 'P0']);

/**
 * Whether the same statement may succeed later: a lost or refused connection, a timeout, a full disk, a server that
 * stops, starts or is a standby. Unknown errors count as temporary, so that nothing is guessed.
 */
export function isTransient(error: unknown): boolean {
  return !(error instanceof JournalDamaged) && !REFUSALS.has(sqlState(error).slice(0, 2));
}

/** Converts the error of an append: AppendUnknown for a temporary one, else AppendRefused. */
export function appendFailure(error: unknown) {
  return appendError(error, isTransient(error));
}

/** The error's SQLSTATE, which has five characters. Errors of sockets have longer codes, such as ECONNRESET. */
function sqlState(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : '';
}
