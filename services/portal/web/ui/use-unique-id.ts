import { useId, useState } from 'preact/hooks';

/** The number of ids so far; null until the page has hydrated the markup of the server. */
let made: number | null = null;

/** Makes all later ids unique in the browser alone. */
export function endHydration(): void {
  made ??= 0;
}

/**
 * An id that no other element has. Preact's own ids match those of the server's markup, but start again below a
 * component that was rendered separately.
 */
export function useUniqueId(): string {
  const preactId = useId();
  const [own] = useState(() => (made === null ? null : `id-${(made += 1)}`));
  return own ?? preactId;
}
