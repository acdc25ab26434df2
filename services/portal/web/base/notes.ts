import { noteCookie } from '../../src/pages/notes.ts';
import type { NoteName, NoteValue } from '../../src/pages/notes.ts';

const YEAR_SECONDS = 31_536_000;

/** What this browser remembers under a name; null: nothing. On the server always null. */
export function noteOf<N extends NoteName>(name: N): NoteValue<N> | null {
  return typeof document === 'undefined'
    ? null
    : ((document.documentElement.dataset[name] as NoteValue<N> | undefined) ?? null);
}

/**
 * Remembers a value for a year; null: forgets it.
 *
 * @param inThisPage whether it is for this page too, or for those that are loaded later. Default: true
 */
export function setNote<N extends NoteName>(name: N, value: NoteValue<N> | null, { inThisPage = true } = {}): void {
  const root = document.documentElement;
  if (inThisPage && value === null) root.removeAttribute(`data-${name}`);
  else if (inThisPage && value !== null) root.dataset[name] = value;
  const life = value === null ? 0 : YEAR_SECONDS;
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${noteCookie(name)}=${value ?? ''}; path=/; max-age=${life}; samesite=lax${secure}`;
}
