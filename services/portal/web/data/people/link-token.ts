import { useLayoutEffect, useState } from 'preact/hooks';

/** The token of an e-mailed link, after `#`. Takes it out of the address, so that the browser's history lacks it. */
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
