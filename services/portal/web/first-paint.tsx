import { renderToString } from 'preact-render-to-string';
import { PAGE_NAMES } from '../src/pages/paths.ts';
import type { PageReads } from '../src/pages/read-answer.ts';
import { App } from './app/app.tsx';
import { loadPage } from './app/page-modules.ts';

// The server renders without waiting, so every page is loaded in advance.
await Promise.all(PAGE_NAMES.map((name) => loadPage(name)));

/** The markup of a page before its script runs, as the browser's first rendering makes it: without a person. */
export function renderPage(path: string, search: string, reads: PageReads): string {
  return renderToString(<App reads={new Map(Object.entries(reads))} ssr={{ path, search }} />);
}
