import type { CallError } from '../base/call-error.ts';
import { capitalized } from './format.ts';

const VALIDATION = /^validation failure: ([A-Za-z0-9_$-]+)[^:]*: (.+)$/s;

/** The field that a validation failure names, and its rule as a sentence; null for other messages. */
export function readFailure(message: string): { readonly field: string; readonly text: string } | null {
  const [, field, rule = ''] = VALIDATION.exec(message) ?? [];
  return field === undefined ? null : { field, text: sentence(rule) };
}

/** Places an error in a form (`field` null: above the button). A validation failure names its field; `byCode` names others'. */
export function assignError<F extends string>(
  { code, message }: Pick<CallError, 'code' | 'message'>,
  fields: readonly F[],
  byCode: Readonly<Record<string, F>> = {},
): { readonly field: F | null; readonly text: string } {
  const failure = readFailure(message);
  const field = fields.find((name) => name === failure?.field);
  if (failure !== null && field !== undefined) return { field, text: failure.text };
  return { field: byCode[code] ?? null, text: sentence(message) };
}

/** Completes a rule without a subject ("must not …"). */
export function sentence(text: string): string {
  const whole = /^(must|may|is|has)\b/.test(text) ? `this ${text}` : text;
  return `${capitalized(whole)}${/[.?!]$/.test(whole) ? '' : '.'}`;
}
