/**
 * What a browser remembers for the pages, in a cookie each, without personal data, and the values that it may have. The
 * first paint depends on them, so the server puts them into the HTML as attributes of its element.
 */
export const NOTES = {
  /** The first visit is over. */
  seen: ['yes'],
  /** The chosen colors; none: those of the system. */
  theme: ['light', 'dark'],
  /** The type of the last order; none: market. */
  ticket: ['limit'],
  /** The zone of all times; none: the person's own. */
  times: ['utc'],
} as const;

export type NoteName = keyof typeof NOTES;
export type NoteValue<N extends NoteName> = (typeof NOTES)[N][number];

export const NOTE_NAMES = Object.keys(NOTES) as readonly NoteName[];

/** The name of a note's cookie. */
export function noteCookie(name: NoteName): string {
  return `paper-${name}`;
}

/**
 * The attributes of the HTML's element for the cookies of a request: the notes, and `data-session` where there is one, so
 * that the first paint keeps the places of what only its person sees. Who has a session has been here before.
 *
 * @param cookies their values by their names
 */
export function noteAttributes(cookies: Readonly<Record<string, string | undefined>>): string {
  const isSignedIn = cookies['session'] !== undefined || cookies['__Host-session'] !== undefined;
  const notes = NOTE_NAMES.flatMap((name) => {
    const value = name === 'seen' && isSignedIn ? 'yes' : cookies[noteCookie(name)];
    return value !== undefined && NOTES[name].some((one: string) => one === value) ? [` data-${name}="${value}"`] : [];
  });
  return [...notes, ...(isSignedIn ? [' data-session'] : [])].join('');
}
