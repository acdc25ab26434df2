import type { Bundle } from './bundle.ts';
import type { PageDescription } from './page-description.ts';
import { moreStylesOf, SERVICE_NAME } from './paths.ts';
import type { PageName } from './paths.ts';
import type { PageReads } from './read-answer.ts';

/** Content security policy of every page: nothing from other origins, nothing inline, no frame. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The content of a page's HTML before its script runs. */
export interface ShellContent {
  /** The page's markup, from `FirstPaint`. */
  readonly markup: string;
  /** Answers of the API from which the markup was made, by path. */
  readonly reads: PageReads;
}

/** What a page's head says. */
export interface PageHead extends PageDescription {
  readonly publicUrl: string;
  /** Attributes of the HTML's element, with a space before each. */
  readonly attributes?: string;
}

/** The id of the data for the page's script, which stands at the end of the HTML. */
const BOOT = 'boot';

/**
 * The beginning of a page's HTML, which depends on nothing that has to be read. `expect` holds the first rendering until
 * the whole HTML has been parsed: else a slow browser lays out the page several times on the way.
 */
export function shellHead(
  bundle: Pick<Bundle, 'script' | 'styles' | 'listStyles' | 'moreStyles' | 'icon' | 'modules'>,
  page: PageName | null,
  { attributes = '', description, path, publicUrl, title }: PageHead,
): string {
  const more = page === null ? null : moreStylesOf(page);
  const styles = more === null ? [bundle.styles] : [bundle.styles, bundle[more]];
  const modules = page === null ? [] : bundle.modules[page];
  // The first paint is in the HTML: on a slow line, scripts must not take the width of the line from the styles.
  const preloads = modules.map((module) => `<link rel="modulepreload" href="${module}" fetchpriority="low" />`);
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
${styles.map((address) => `<link rel="stylesheet" href="${address}" />`).join('\n')}
${preloads.join('\n')}
<script type="module" src="${bundle.script}" fetchpriority="low"></script>
</head>
`;
}

/** The rest of a page's HTML. */
export function shellBody(
  bundle: Pick<Bundle, 'listStyles' | 'moreStyles' | 'workers'>,
  { markup, reads }: ShellContent,
): string {
  const { listStyles, moreStyles, workers } = bundle;
  const boot = { listStyles, moreStyles, reads, workers };
  return `<body>
<div id="app">${markup}</div>
<noscript><p class="notice">This page needs JavaScript; the API at <a href="/api/docs">/api/docs</a> does not.</p></noscript>
<script type="application/json" id="${BOOT}">${scriptJson(boot)}</script>
</body>
</html>
`;
}

/** JSON for a script element: no character of it can end the element. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

/** Text between tags or in a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
