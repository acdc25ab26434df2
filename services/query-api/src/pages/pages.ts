import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { clientFiles, verifyJournal } from '@paper/client-files';
import type { Page } from '@paper/http';
import { readFormat, formatPage } from './documents.ts';

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
} as const;

type File = `${string}.${keyof typeof TYPES}`;

const PAGE_FILES = ['page.css', 'format.css', 'icon.svg', 'demo-signal.mjs'] as const;

/** Content security policy: nothing from other origins, nothing inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // Swagger UI's style sheet contains its small images as data URLs.
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Pages for browsers other than the portal's, with the files that they load. */
export function loadPages(): Page[] {
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const own = (path: string, file: File): Page => page(path, import.meta.dirname, file);
  return [
    own('/demo-signal', 'demo-signal.html'),
    ...PAGE_FILES.map((file) => own(`/page/${file}`, file)),
    ...auditorsPages(),
    ...clientPages(),
    own('/api/docs', 'docs.html'),
    ...(['docs.css', 'docs.mjs'] as const).map((file) => own(`/api/docs/${file}`, file)),
    ...(['swagger-ui.css', 'swagger-ui-bundle.js'] as const).map((file) => page(`/api/docs/${file}`, swagger, file)),
  ];
}

function auditorsPages(): Page[] {
  const markdown = readFormat();
  const html = formatPage(markdown.toString());
  return [
    {
      path: '/docs/format',
      contentType: TYPES.html,
      bytes: html,
      contentSecurityPolicy: POLICY,
      unlessHtml: { contentType: TYPES.md, bytes: markdown },
    },
    {
      path: '/verify-journal.mjs',
      contentType: TYPES.mjs,
      bytes: verifyJournal(),
      contentSecurityPolicy: POLICY,
    },
  ];
}

function clientPages(): Page[] {
  const files = clientFiles();
  const list = files
    .map(({ about, name }) => `${about.replace('URL', `http://THIS-SERVICE/clients/${name}`)}\n`)
    .join('');
  return [
    { path: '/clients/', contentType: TYPES.txt, bytes: Buffer.from(list), contentSecurityPolicy: POLICY },
    ...files.map(({ contentType, name, read }) => ({
      path: `/clients/${name}`,
      contentType,
      bytes: read,
      contentSecurityPolicy: POLICY,
    })),
  ];
}

function page(path: string, folder: string, file: File): Page {
  const extension = file.slice(file.lastIndexOf('.') + 1) as keyof typeof TYPES;
  return {
    path,
    contentType: TYPES[extension],
    bytes: readFileSync(join(folder, file)),
    contentSecurityPolicy: POLICY,
  };
}
