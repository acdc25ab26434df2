/** The address if it is http or https: any other could run code in the browser, or lead into this site. */
export function httpAddress(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null;
  const { href, protocol } = new URL(address);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
