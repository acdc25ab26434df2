import { noteCookie } from '../../src/pages/notes.ts';
import type { NoteName, NoteValue } from '../../src/pages/notes.ts';

const YEAR_SECONDS = 31_536_000;

/** The value that this browser stores; null for none, and always on the server. */
export function noteOf<N extends NoteName>(name: N): NoteValue<N> | null {
  if (typeof document === 'undefined') return null;
  return (document.documentElement.dataset[name] as NoteValue<N> | undefined) ?? null;
}

/** Stores a note for a year; null deletes it. With `inThisPage: false` it applies only to pages loaded later. */
export function setNote<N extends NoteName>(name: N, value: NoteValue<N> | null, { inThisPage = true } = {}): void {
  const root = document.documentElement;
  if (inThisPage && value === null) root.removeAttribute(`data-${name}`);
  else if (inThisPage && value !== null) root.dataset[name] = value;
  const life = value === null ? 0 : YEAR_SECONDS;
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${noteCookie(name)}=${value ?? ''}; path=/; max-age=${life}; samesite=lax${secure}`;
}
