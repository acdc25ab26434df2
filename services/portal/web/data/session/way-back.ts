import { useLocation, useSearch } from 'wouter-preact';

const ENTRIES = new Set(['/sign-in', '/sign-up']);

/**
 * Links to sign in and up, which lead back to a page as it is now. From one of both to the other the way back stays.
 *
 * @param to path and query of the page; default: this one
 */
export function useWayBack(to?: string): { readonly signIn: string; readonly signUp: string } {
  const [path] = useLocation();
  const search = useSearch();
  const here = search === '' ? '' : `?${search}`;
  const back = to ?? path + here;
  const query = ENTRIES.has(path) ? here : back === '/' ? '' : `?next=${encodeURIComponent(back)}`;
  return { signIn: `/sign-in${query}`, signUp: `/sign-up${query}` };
}
