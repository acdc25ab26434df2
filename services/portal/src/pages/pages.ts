import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PortalPages } from '../http/app.ts';
import { loadBundle } from './bundle.ts';
import type { Asset } from './bundle.ts';
import type { FirstReads } from './first-reads.ts';
import { findPage } from './paths.ts';
import { RenderedPages } from './rendered-pages.ts';
import { PAGE_POLICY } from './shell.ts';

const gzipOf = promisify(gzip);
const ASSETS = '/assets/';
/** The address of a market's page in former versions: `/market?id=x`. */
const FORMER_MARKET = '/market';
const IMMUTABLE = 'public, max-age=31536000, immutable';
const SECURITY_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Whether a path (without its query) is a page, or a file of one. */
export function isPagePath(path: string): boolean {
  return path.startsWith(ASSETS) || path === FORMER_MARKET || findPage(path) !== null;
}

/**
 * Creates the pages for browsers and the files that they load.
 *
 * @param firstReads reads what the first paint shows
 */
export async function createPages(firstReads: FirstReads): Promise<PortalPages> {
  const bundle = await loadBundle();
  const rendered = new RenderedPages({ bundle, firstReads });
  const zipped = new Map<string, Promise<Buffer>>();
  for (const [address, { bytes }] of bundle.assets) zipped.set(address, gzipOf(bytes, { level: 9 }));
  const bytesFor = async (address: string, asset: Asset, request: IncomingMessage): Promise<Body> => {
    const compressed = acceptsGzip(request) ? await zipped.get(address) : undefined;
    return compressed === undefined ? { bytes: asset.bytes } : { bytes: compressed, encoding: 'gzip' };
  };
  return {
    handles: isPagePath,
    serve: async (request, response) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        sendError(response, 405, { error: 'The methods here are: GET, HEAD', code: 'method_not_allowed' });
        return;
      }
      const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://portal');
      if (pathname === FORMER_MARKET) {
        redirect(response, `/markets/${encodeURIComponent(searchParams.get('id') ?? '')}`);
        return;
      }
      if (pathname.startsWith(ASSETS)) {
        const asset = bundle.assets.get(pathname);
        if (asset === undefined) {
          sendError(response, 404, { error: `No such file: ${pathname}. Reload the page.`, code: 'not_found' });
          return;
        }
        const body = await bytesFor(pathname, asset, request);
        send(request, response, body, { 'content-type': asset.contentType, 'cache-control': IMMUTABLE });
        return;
      }
      const page = await rendered.get(pathname, search);
      const body = acceptsGzip(request) ? { bytes: page.gzip, encoding: 'gzip' } : { bytes: page.bytes };
      // The HTML names the files of this version, so a browser must ask again after an update.
      send(request, response, body, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    },
  };
}

/** Bytes as they are sent. */
interface Body {
  readonly bytes: Buffer;
  readonly encoding?: string;
}

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  { bytes, encoding }: Body,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    ...headers,
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    vary: 'accept-encoding',
    'content-length': bytes.length,
  });
  response.end(method === 'HEAD' ? undefined : bytes);
}

/** The page has moved for good. */
function redirect(response: ServerResponse, location: string): void {
  response.writeHead(301, { ...SECURITY_HEADERS, location, 'content-length': 0 });
  response.end();
}

function sendError(response: ServerResponse, status: number, body: { readonly error: string; code: string }): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

function acceptsGzip({ headers }: IncomingMessage): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(headers['accept-encoding'] ?? '');
}
