import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownToHtml } from './markdown.ts';

/** The folder of FORMAT.md, relative to this module; in a build it is this module's own folder. */
const JOURNAL = '../../../../packages/core/journal';

export function readFormat(): Buffer {
  const isSource = import.meta.url.endsWith('.ts');
  return readFileSync(join(import.meta.dirname, isSource ? JOURNAL : '', 'FORMAT.md'));
}

export function formatPage(markdown: string): Buffer {
  return Buffer.from(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>The journal's format – Paper Trading Service</title>
    <link rel="icon" type="image/svg+xml" href="../page/icon.svg" />
    <link rel="stylesheet" href="../page/page.css" />
    <link rel="stylesheet" href="../page/format.css" />
  </head>
  <body>
    <nav aria-label="Service">
      <a class="brand" href="..">Paper Trading Service</a>
      <a href="..">Markets</a>
      <a href="../api/docs">API reference</a>
      <a href="../verify-journal.mjs">verify-journal.mjs</a>
    </nav>
    <main class="doc">
${markdownToHtml(markdown)}
    </main>
  </body>
</html>
`);
}
