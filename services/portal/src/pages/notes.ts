/**
 * What a browser remembers for the pages, each in a cookie, without personal data; with the allowed values. The first
 * paint depends on them, so the server puts them into the HTML as attributes of its root element.
 */
const VALUES = {
  /** Set once the first visit is over. */
  seen: ['yes'],
  /** The chosen colors; absent: those of the system. */
  theme: ['light', 'dark'],
  /** The type of the last order; absent: market. */
  ticket: ['limit'],
  /** The time zone of all shown times; absent: the person's own. */
  times: ['utc'],
} as const;

export type NoteName = keyof typeof VALUES;
export type NoteValue<N extends NoteName> = (typeof VALUES)[N][number];

const NOTE_NAMES = Object.keys(VALUES) as readonly NoteName[];

/** The name of the cookie of a note. */
export function noteCookie(name: NoteName): string {
  return `paper-${name}`;
}

/**
 * The attributes of the HTML's root element for cookies by name: the notes, and `data-session` for a session, so that
 * the first paint reserves space for what only its person sees. A browser with a session has been here before.
 */
export function noteAttributes(cookies: Readonly<Record<string, string | undefined>>): string {
  const isSignedIn = cookies['session'] !== undefined || cookies['__Host-session'] !== undefined;
  const notes = NOTE_NAMES.flatMap((name) => {
    const value = name === 'seen' && isSignedIn ? 'yes' : cookies[noteCookie(name)];
    return value !== undefined && VALUES[name].some((one: string) => one === value) ? [` data-${name}="${value}"`] : [];
  });
  return [...notes, ...(isSignedIn ? [' data-session'] : [])].join('');
}
