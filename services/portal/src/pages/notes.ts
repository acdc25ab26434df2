/**
 * What a browser remembers for the pages, each in a cookie, without personal data; with the allowed values. The first
 * paint depends on them, so the server puts them into the HTML as attributes of its root element.
 */
export const NOTES = {
  /** Set once the first visit is over. */
  seen: ['yes'],
  /** The chosen colors; absent: those of the system. */
  theme: ['light', 'dark'],
  /** The type of the last order; absent: market. */
  ticket: ['limit'],
  /** The time zone of all shown times; absent: the person's own. */
  times: ['utc'],
} as const;

export type NoteName = keyof typeof NOTES;
export type NoteValue<N extends NoteName> = (typeof NOTES)[N][number];

export const NOTE_NAMES = Object.keys(NOTES) as readonly NoteName[];

/** The name of the cookie of a note. */
export function noteCookie(name: NoteName): string {
  return `paper-${name}`;
}

/**
 * The attributes of the HTML's root element for the cookies of a request: the notes, and `data-session` if there is a
 * session, so that the first paint reserves space for what only its person sees. A browser with a session has been here
 * before.
 * @param cookies their values, by name
 */
export function noteAttributes(cookies: Readonly<Record<string, string | undefined>>): string {
  const isSignedIn = cookies['session'] !== undefined || cookies['__Host-session'] !== undefined;
  const notes = NOTE_NAMES.flatMap((name) => {
    const value = name === 'seen' && isSignedIn ? 'yes' : cookies[noteCookie(name)];
    return value !== undefined && NOTES[name].some((one: string) => one === value) ? [` data-${name}="${value}"`] : [];
  });
  return [...notes, ...(isSignedIn ? [' data-session'] : [])].join('');
}
