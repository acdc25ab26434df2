import { useLocation, useSearch } from 'wouter-preact';

const ENTRIES = new Set(['/sign-in', '/sign-up']);

/**
 * Links to the sign-in and the sign-up, which return to a page in its present state. The way back stays when the person
 * changes from one link's page to the other.
 * @param to the path and query of the page; default: this page
 */
export function useWayBack(to?: string): { readonly signIn: string; readonly signUp: string } {
  const [path] = useLocation();
  const search = useSearch();
  const here = search === '' ? '' : `?${search}`;
  const back = to ?? path + here;
  const query = ENTRIES.has(path) ? here : back === '/' ? '' : `?next=${encodeURIComponent(back)}`;
  return { signIn: `/sign-in${query}`, signUp: `/sign-up${query}` };
}
