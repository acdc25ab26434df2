/**
 * The `Link` header (RFC 8288) of the next page: the same list with its filters and the cursor of its last item. None
 * on the last page.
 */
export function nextPage(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  cursor: string | null,
): { readonly headers?: Readonly<Record<string, string>> } {
  if (cursor === null) return {};
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
  parameters.set('cursor', cursor);
  return { headers: { link: `<${path}?${parameters.toString()}>; rel="next"` } };
}
