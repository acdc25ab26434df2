/**
 * The page to show after a sign-in: `wanted` where it is a path of this site, else the markets. An address of another
 * site, in any spelling that a browser understands, is never followed.
 *
 * @param origin of this site
 */
export function localPath(wanted: string | null, origin: string): string {
  if (wanted === null || !URL.canParse(wanted, origin)) return '/';
  const url = new URL(wanted, origin);
  if (url.origin !== origin || !wanted.startsWith('/')) return '/';
  // A path like //evil.example would be another site's when it is used again.
  return url.pathname.startsWith('//') ? '/' : url.pathname + url.search + url.hash;
}
