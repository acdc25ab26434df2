import type { IncomingMessage, ServerResponse } from 'node:http';
import { targetOf } from '@paper/http';
import { parseCookie } from 'cookie';
import type { PortalPages } from '../http/app.ts';
import { loadBundle } from './bundle.ts';
import type { Bundle } from './bundle.ts';
import { Compressed, encodingFor } from './compressed.ts';
import type { Encoding } from './compressed.ts';
import type { FirstReads } from './first-reads.ts';
import { findPage, FORMER_PATHS, PAGE_NAMES } from './paths.ts';
import { noteAttributes } from './notes.ts';
import type { PageParts } from './page-parts.ts';
import { RenderedPages } from './rendered-pages.ts';
import { firstStyles, pagePolicy } from './shell.ts';
import { SITE_FILES, siteFiles } from './site-files.ts';

type HeaderValues = Readonly<Record<string, string | number>>;

const ASSETS = '/assets/';
/** The address of a market's page in earlier versions: `/market?id=x`. */
const FORMER_MARKET = '/market';
const IMMUTABLE = 'public, max-age=31536000, immutable';
const FILE_HEADERS = { 'cross-origin-resource-policy': 'same-origin', 'x-content-type-options': 'nosniff' } as const;
/** Headers of an image, which a browser may also show as a page of its own. */
const PICTURE_HEADERS = { ...FILE_HEADERS, 'content-security-policy': "default-src 'none'" } as const;
/** Headers of pages and of workers; a worker has a policy of its own. */
const PAGE_HEADERS = {
  ...FILE_HEADERS,
  'content-security-policy': pagePolicy([]),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const;

/** The paths of other services behind the same address, which answer browsers themselves. */
const OTHERS = /^\/(?:api|clients|page|pmxt|portal)(?:\/|$)|^\/(?:demo-signal|docs\/format|mcp|verify-journal\.mjs)$/;

/** Whether a request is for a page or a file of pages, or comes from a browser at an unknown address. */
export function isForPages(path: string, { headers, method }: IncomingMessage): boolean {
  const isFile = path.startsWith(ASSETS) || SITE_FILES.some((address) => address === path);
  if (isFile || path === FORMER_MARKET || findPage(path) !== null) return true;
  return method === 'GET' && headers.accept?.includes('text/html') === true && !OTHERS.test(path);
}

export async function createPages(firstReads: FirstReads): Promise<PortalPages> {
  const bundle = await loadBundle();
  const rendered = new RenderedPages({ bundle, firstReads });
  const files = new Map(
    [...bundle.assets, ...siteFiles(bundle)].map(([address, { bytes, contentType }]) => [
      address,
      {
        content: new Compressed(bytes, 'once'),
        headers: {
          ...headersOf(address, bundle),
          'content-type': contentType,
          'cache-control': address.startsWith(ASSETS) ? IMMUTABLE : 'public, max-age=86400',
        },
      },
    ]),
  );
  const texts = new Set(PAGE_NAMES.flatMap((name) => firstStyles(bundle, name).map(({ text }) => text)));
  const policy = pagePolicy([...texts]);
  return {
    handles: isForPages,
    serve: async (request, response, publicUrl) => {
      const { pathname, search, searchParams } = targetOf(request);
      if (pathname === FORMER_MARKET) {
        redirect(response, `/markets/${encodeURIComponent(searchParams.get('id') ?? '')}`);
        return;
      }
      const present = FORMER_PATHS.get(pathname);
      if (present !== undefined) {
        redirect(response, present + search);
        return;
      }
      const file = files.get(pathname);
      if (file !== undefined) {
        await send(request, response, file.content, file.headers);
        return;
      }
      if (pathname.startsWith(ASSETS)) {
        sendError(response, 404, { error: `No such file: ${pathname}. Reload the page.`, code: 'not_found' });
        return;
      }
      const attributes = noteAttributes(parseCookie(request.headers.cookie ?? ''));
      // The HTML names the files of this version, so after an update a browser must revalidate it.
      await sendPage(request, response, await rendered.get(pathname, search, publicUrl, attributes), {
        ...PAGE_HEADERS,
        'content-security-policy': policy,
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
      });
    },
  };
}

/** The headers of a file. Scripts and styles are no documents: without the pages' policy each is half a kB smaller. */
function headersOf(address: string, { workers }: Pick<Bundle, 'workers'>): HeaderValues {
  if (Object.values(workers).includes(address)) return PAGE_HEADERS;
  return /\.(?:js|css)$/.test(address) ? FILE_HEADERS : PICTURE_HEADERS;
}

async function send(request: IncomingMessage, response: ServerResponse, content: Compressed, headers: HeaderValues) {
  const encoding = encodingFor(request);
  const bytes = encoding === null ? content.bytes : await content.in(encoding);
  beginAnswer(response, 200, encoding, { ...headers, 'content-length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

async function sendPage(request: IncomingMessage, response: ServerResponse, page: PageParts, headers: HeaderValues) {
  const encoding = encodingFor(request);
  beginAnswer(response, page.status, encoding, headers);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const { head, rest } = page.in(encoding);
  for (const part of [head, rest]) {
    const bytes = await part;
    // The client may have disconnected in the meantime.
    if (response.destroyed) return;
    response.write(bytes);
  }
  response.end();
}

function beginAnswer(response: ServerResponse, status: number, encoding: Encoding | null, headers: HeaderValues): void {
  // A connection of HTTP/1.1 stays open without these headers, which would be 48 bytes of each answer.
  response.removeHeader('connection');
  response.writeHead(status, {
    ...headers,
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
    vary: 'accept-encoding',
  });
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(301, { ...PAGE_HEADERS, location, 'content-length': 0 });
  response.end();
}

function sendError(response: ServerResponse, status: number, body: { readonly error: string; code: string }): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...PAGE_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': bytes.length,
  });
  response.end(bytes);
}
