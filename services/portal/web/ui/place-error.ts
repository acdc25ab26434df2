import type { CallError } from '../base/call-error.ts';
import { capitalized } from './format.ts';

const VALIDATION = /^validation failure: ([A-Za-z0-9_$-]+)[^:]*: (.+)$/s;

/** The field that a validation failure names, and its rule as a sentence; null for other messages. */
export function readFailure(message: string): { readonly field: string; readonly text: string } | null {
  const [, field, rule = ''] = VALIDATION.exec(message) ?? [];
  return field === undefined ? null : { field, text: toSentence(rule) };
}

/** The field of a form that an error concerns (null: none), by the error's text or by `byCode`, and its sentence. */
export function assignError<F extends string>(
  { code, message }: Pick<CallError, 'code' | 'message'>,
  fields: readonly F[],
  byCode: Readonly<Record<string, F>> = {},
): { readonly field: F | null; readonly text: string } {
  const failure = readFailure(message);
  const field = fields.find((name) => name === failure?.field);
  if (failure !== null && field !== undefined) return { field, text: failure.text };
  return { field: byCode[code] ?? null, text: toSentence(message) };
}

/** Makes a sentence of an error's text, also if it has no subject ("must not …"). */
export function toSentence(text: string): string {
  const whole = /^(must|may|is|has)\b/.test(text) ? `this ${text}` : text;
  return `${capitalized(whole)}${/[.?!]$/.test(whole) ? '' : '.'}`;
}
