import { JournalWentBack } from '@paper/journal';
import pg from 'pg';

/** An event cannot be applied, or the journal or the database is not as expected. An operator must act. */
export class ProjectionFault extends Error {
  override readonly name = 'ProjectionFault';
}

/** Another process moved the checkpoint: a second projector works on this schema. */
export class ProjectionFenced extends Error {
  override readonly name = 'ProjectionFenced';
}

/** The checkpoint went back: the database crashed before it had flushed the last commits, which are now repeated. */
export class CommitsLost extends Error {
  override readonly name = 'CommitsLost';
}

/** The schema's status has changed: another schema serves instead, this one serves again, or it was dropped. */
export class SchemaRetired extends Error {
  override readonly name = 'SchemaRetired';
}

/** The journal did not answer, so its content is unknown. Replaces the different errors of the adapters. */
export class JournalUnreachable extends Error {
  override readonly name = 'JournalAway';
}

/** SQLSTATE classes of temporary errors: connection, conflict, resources, operator's intervention, system. */
const PASSING_CLASSES = new Set(['08', '40', '53', '57', '58']);
/** An internal error. Postgres also reports it for conflicts, and to new connections while the disk is full. */
const INTERNAL_ERROR = 'XX000';
const SYSTEM_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT']);
/** Messages of errors without a code, from the driver and from a journal on Postgres. */
const DRIVER_MESSAGES =
  /connection (terminated|ended|error|timeout)|timeout exceeded|not queryable|client was closed|no answer from Postgres/i;

/** Whether an error of the database or the journal is temporary, so that another try may succeed. */
export function isTransient(error: unknown): boolean {
  const isOfJournal = error instanceof JournalUnreachable || error instanceof JournalWentBack;
  if (isOfJournal || error instanceof CommitsLost) return true;
  if (error instanceof pg.DatabaseError) {
    return error.code === INTERNAL_ERROR || PASSING_CLASSES.has(error.code?.slice(0, 2) ?? '');
  }
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.every(isTransient);
  return SYSTEM_ERRORS.has(String((error as NodeJS.ErrnoException).code)) || DRIVER_MESSAGES.test(error.message);
}

/** Whether the schema or one of its tables does not exist. */
export function isSchemaMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '42P01' || error.code === '3F000');
}
