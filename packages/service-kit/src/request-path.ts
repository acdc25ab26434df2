import type { IncomingMessage } from 'node:http';

/** A request's path, as it was sent: without its query, and without the host of the absolute form (RFC 9112, 3.2.2). */
export function pathOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  return path.startsWith('/') ? path : path.replace(/^[a-z]+:\/\/[^/]*/i, '');
}
