import { useId, useState } from 'preact/hooks';

/** The number of ids made so far; null until the page has hydrated the server's markup. */
let made: number | null = null;

/** Ends the use of Preact's ids: later ids need to be unique only in this browser. */
export function endHydration(): void {
  made ??= 0;
}

/** An id that no other element has. Preact's own ids begin again in each separately rendered part. */
export function useUniqueId(): string {
  const preactId = useId();
  const [own] = useState(() => (made === null ? null : `id-${(made += 1)}`));
  return own ?? preactId;
}
