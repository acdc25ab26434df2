import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * The token of an e-mailed link, which follows `#`; null if there is none. The hook removes the token from the address
 * at once, so that it stays neither in the history nor in a copied address.
 */
export function useLinkToken(): string | null {
  const [token, setToken] = useState<string | null>(null);
  useLayoutEffect(() => {
    const found = location.hash.slice(1);
    if (found === '') return;
    history.replaceState(history.state, '', location.pathname + location.search);
    setToken(found);
  }, []);
  return token;
}
