import { createHash } from 'node:crypto';
import type { Bundle } from './bundle.ts';
import type { PageDescription } from './page-description.ts';
import { moreStylesOf, SERVICE_NAME } from './paths.ts';
import type { PageName } from './paths.ts';
import type { PageReads } from './read-answer.ts';

/** Content security policy of pages: nothing from other origins, no frame, and nothing inline but these styles. */
export function pagePolicy(styles: readonly string[]): string {
  const hashes = styles.map((text) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${hashes.join('')}`,
    "connect-src 'self'",
    "img-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export interface PageHead extends PageDescription {
  readonly publicUrl: string;
  /** Attributes of the HTML's root element, with a space before each. */
  readonly attributes?: string;
}

/** The id of the element with data for the page's script, at the end of the HTML. */
const BOOT = 'boot';

export function firstStyles(
  { assets, ...bundle }: Pick<Bundle, 'assets' | 'styles' | 'listStyles' | 'moreStyles'>,
  page: PageName | null,
): readonly { readonly address: string; readonly text: string }[] {
  const more = page === null ? null : moreStylesOf(page);
  return (more === null ? [bundle.styles] : [bundle.styles, bundle[more]]).map((address) => ({
    address,
    text: assets.get(address)?.bytes.toString() ?? '',
  }));
}

/**
 * The beginning of a page's HTML, which depends on nothing that has to be read. It contains the styles of the first
 * paint: on a slow line, separate files would arrive 150 ms later. `expect` delays the first rendering until the whole
 * HTML has been parsed; otherwise a slow browser would lay the page out several times.
 */
export function shellHead(
  bundle: Omit<Bundle, 'firstPaint' | 'workers'>,
  page: PageName | null,
  { attributes = '', description, path, publicUrl, title }: PageHead,
): string {
  const styles = firstStyles(bundle, page);
  const modules = page === null ? [] : bundle.modules[page];
  const preloads = modules.map((module) => `<link rel="modulepreload" href="${module}" />`);
  const address = path === null ? null : escapeHtml(publicUrl + path);
  return `<!doctype html>
<html lang="en"${attributes}>
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="description" content="${escapeHtml(description)}" />
<title>${escapeHtml(title)} – ${SERVICE_NAME}</title>
<meta property="og:type" content="website" />
<meta property="og:site_name" content="${SERVICE_NAME}" />
<meta property="og:title" content="${escapeHtml(title)}" />
<meta property="og:description" content="${escapeHtml(description)}" />
${address === null ? '' : `<link rel="canonical" href="${address}" />\n<meta property="og:url" content="${address}" />`}
<link rel="expect" href="#${BOOT}" blocking="render" />
<link rel="icon" type="image/svg+xml" href="${bundle.icon}" />
<link rel="manifest" href="/manifest.webmanifest" />
${styles.map(({ address, text }) => `<style data-of="${address}">${text}</style>`).join('\n')}
${preloads.join('\n')}
<script type="module" src="${bundle.script}"></script>
</head>
`;
}

/** The rest of a page's HTML: the markup, and the answers of the API from which it was made. */
export function shellBody(
  { listStyles, moreStyles, workers }: Pick<Bundle, 'listStyles' | 'moreStyles' | 'workers'>,
  { markup, reads }: { readonly markup: string; readonly reads: PageReads },
): string {
  const boot = { listStyles, moreStyles, reads, workers };
  return `<body>
<div id="app">${markup}</div>
<noscript><p class="notice">This page needs JavaScript; the API at <a href="/api/docs">/api/docs</a> does not.</p></noscript>
<script type="application/json" id="${BOOT}">${scriptJson(boot)}</script>
</body>
</html>
`;
}

/** JSON for a script element, in which no character can end the element. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
