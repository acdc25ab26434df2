/** `wanted` if it is a path of this site, else `/`, so that no link can lead to another site. */
export function localPath(wanted: string | null, origin: string): string {
  if (wanted === null || !URL.canParse(wanted, origin)) return '/';
  const url = new URL(wanted, origin);
  if (url.origin !== origin || !wanted.startsWith('/')) return '/';
  // A path like //evil.example would become another site's address when it is used again.
  return url.pathname.startsWith('//') ? '/' : url.pathname + url.search + url.hash;
}
