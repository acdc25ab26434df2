import { ApiError } from '@paper/contracts';

type RawQuery = Record<string, string | string[]>;

const PARAMETERS_MAX = 100;

/** Parses what follows `?`, without nesting. Unlike URLSearchParams it refuses text that is not well-formed UTF-8. */
export function parseQueryString(url: string): RawQuery {
  // On an object without a prototype, `__proto__` is a name like any other.
  const query = Object.create(null) as RawQuery;
  const start = url.indexOf('?');
  if (start === -1) return query;
  const parts = url.slice(start + 1).split('&');
  if (parts.length > PARAMETERS_MAX) {
    throw new ApiError('validation_failed', `validation failure: query: more than ${PARAMETERS_MAX} parameters`);
  }
  for (const part of parts) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = equals === -1 ? '' : decode(part.slice(equals + 1));
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (typeof before === 'string') query[name] = [before, value];
    else before.push(value);
  }
  return query;
}

/** Makes a test of whether a URL's query gives this parameter (letters and digits), however encoded. Never throws. */
export function givesParameter(name: string): (url: string) => boolean {
  const read = readParameter(name);
  return (url) => read(url) !== null;
}

/** Makes a reader of a parameter's first value; null if the query does not give it, '' if it is not well-formed. */
export function readParameter(name: string): (url: string) => string | null {
  const anyForm = Array.from(name, (letter) => {
    const digits = Array.from(letter.charCodeAt(0).toString(16), (digit) => `[${digit}${digit.toUpperCase()}]`);
    return `(?:${letter}|%${digits.join('')})`;
  });
  const given = new RegExp(`(?:^|&)${anyForm.join('')}(?:=([^&]*)|&|$)`);
  return (url) => {
    const start = url.indexOf('?');
    const found = start === -1 ? null : given.exec(url.slice(start + 1));
    if (found === null) return null;
    try {
      return decode(found[1] ?? '');
    } catch {
      return '';
    }
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError('validation_failed', 'validation failure: query: the percent-encoding is not valid UTF-8');
  }
}
