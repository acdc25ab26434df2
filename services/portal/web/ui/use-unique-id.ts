import { useId, useState } from 'preact/hooks';

/** Null until the page has hydrated the markup of the server. */
let made: number | null = null;

/** Later ids are unique in the browser alone. */
export function endHydration(): void {
  made ??= 0;
}

/** An id that no other element has; Preact's own start again in each separate rendering. */
export function useUniqueId(): string {
  const preactId = useId();
  const [own] = useState(() => (made === null ? null : `id-${(made += 1)}`));
  return own ?? preactId;
}
