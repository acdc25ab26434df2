/** An error of the service, placed: beside a field of a form, or above its button (`field` null). */
export interface PlacedError<F extends string> {
  readonly field: F | null;
  readonly text: string;
}

/** An error in the service's own words. */
interface ServiceError {
  readonly code: string;
  readonly message: string;
}

const VALIDATION = /^validation failure: ([A-Za-z0-9_$-]+)[^:]*: (.+)$/s;

/**
 * Places an error in a form. A validation failure names its field itself; `byCode` says which field other codes are
 * about.
 */
export function assignError<F extends string>(
  { code, message }: ServiceError,
  fields: readonly F[],
  byCode: Readonly<Record<string, F>> = {},
): PlacedError<F> {
  const [, named, rule = ''] = VALIDATION.exec(message) ?? [];
  const field = fields.find((name) => name === named);
  if (field !== undefined) return { field, text: sentence(rule) };
  return { field: byCode[code] ?? null, text: sentence(message) };
}

function sentence(text: string): string {
  const [first = '', ...rest] = Array.from(text);
  return first.toUpperCase() + rest.join('');
}
