import { ApiError } from '@paper/contracts';

/** The sequence of the client's last event; null without one. Throws ApiError validation_failed for another value. */
export function lastEventId(values: readonly string[]): number | null {
  const [value] = values;
  // An EventSource without an id sends an empty value, or no header.
  if (value === undefined || (values.length === 1 && value === '')) return null;
  const seq = /^(?:0|[1-9]\d{0,15})$/.test(value) ? Number(value) : NaN;
  if (values.length > 1 || !Number.isSafeInteger(seq)) throw refused('must be a sequence, given once');
  return seq;
}

export function assertReached(lastSeq: number, seq: number): void {
  if (lastSeq > seq) throw refused(`must be a sequence that the journal has reached; it is at ${seq}`);
}

function refused(rule: string): ApiError {
  return new ApiError('validation_failed', `validation failure: Last-Event-ID: ${rule}`);
}
