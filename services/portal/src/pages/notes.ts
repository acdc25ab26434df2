/** What a browser remembers, in a cookie each: the allowed values. The server writes them as attributes of `<html>`. */
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
export const noteCookie = (name: NoteName): string => `paper-${name}`;

/** The attributes of `<html>`: the notes, and `data-session` to reserve space for a person's figures. */
export function noteAttributes(cookies: Readonly<Record<string, string | undefined>>): string {
  const isSignedIn = cookies['session'] !== undefined || cookies['__Host-session'] !== undefined;
  const notes = NOTE_NAMES.flatMap((name) => {
    const value = name === 'seen' && isSignedIn ? 'yes' : cookies[noteCookie(name)];
    return value !== undefined && VALUES[name].some((one: string) => one === value) ? [` data-${name}="${value}"`] : [];
  });
  return [...notes, ...(isSignedIn ? [' data-session'] : [])].join('');
}
