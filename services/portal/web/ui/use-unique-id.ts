import { useId, useState } from 'preact/hooks';

/** Null until the page has taken over the markup of the server; then the number of ids that were made. */
let made: number | null = null;

/** From now on ids are the page's own. */
export function endHydration(): void {
  made ??= 0;
}

/**
 * An id that no other element has. Preact's own are those of the server's markup, but they begin again below a component
 * that was rendered by itself.
 */
export function useUniqueId(): string {
  const preactId = useId();
  const [own] = useState(() => (made === null ? null : `id-${(made += 1)}`));
  return own ?? preactId;
}
