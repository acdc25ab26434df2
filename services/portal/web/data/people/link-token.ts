import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * The token of a link from an e-mail, which stands behind `#`; null without one. It is taken out of the address at once,
 * so that it stays neither in the history nor in a copied address.
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
