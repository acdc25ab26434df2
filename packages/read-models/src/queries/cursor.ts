import { createHash } from 'node:crypto';
import { ApiError } from '@paper/contracts';

/**
 * An opaque cursor: the last row's sort key (sequences of the journal, so it is still right after a rebuild), the
 * list it belongs to, and a checksum, so that one that no list gave is refused. It guards nothing: a list shows the
 * same to everybody who may read it, wherever it starts.
 */
const VERSION = 1;
const CHECK_LENGTH = 8;

export function encodeCursor(list: string, key: readonly (string | number)[]): string {
  const body = Buffer.from(JSON.stringify([VERSION, list, ...key])).toString('base64url');
  return body + check(body);
}

/** @throws ApiError validation_failed for what `encodeCursor` did not make for this list. */
export function decodeCursor(list: string, cursor: string): readonly (string | number)[] {
  const body = cursor.slice(0, -CHECK_LENGTH);
  if (cursor.length <= CHECK_LENGTH || check(body) !== cursor.slice(-CHECK_LENGTH)) throw refused();
  const [version, name, ...key] = JSON.parse(Buffer.from(body, 'base64url').toString()) as (string | number)[];
  if (version !== VERSION || name !== list) throw refused();
  return key;
}

function check(body: string): string {
  return createHash('sha256').update(`paper-cursor ${body}`).digest('base64url').slice(0, CHECK_LENGTH);
}

function refused(): ApiError {
  return new ApiError(
    'validation_failed',
    'validation failure: cursor: must be one that this list gave in its Link header',
  );
}
