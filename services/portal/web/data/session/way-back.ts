import { useLocation, useSearch } from 'wouter-preact';

const ENTRIES = new Set(['/sign-in', '/sign-up']);

/**
 * Links to the sign-in and the sign-up, which return to `to` (default: this page as it is). The way back survives a
 * change from one of them to the other.
 */
export function useWayBack(to?: string): { readonly signIn: string; readonly signUp: string } {
  const [path] = useLocation();
  const search = useSearch();
  const here = search === '' ? '' : `?${search}`;
  const back = to ?? path + here;
  const query = ENTRIES.has(path) ? here : back === '/' ? '' : `?next=${encodeURIComponent(back)}`;
  return { signIn: `/sign-in${query}`, signUp: `/sign-up${query}` };
}
