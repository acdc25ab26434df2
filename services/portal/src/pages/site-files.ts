import type { Asset, Bundle } from './bundle.ts';
import { SERVICE_NAME } from './paths.ts';

const ROBOTS = `User-agent: *
Allow: /api/docs
Disallow: /api/
Disallow: /portal/
`;

/** The addresses at which browsers and search engines look for files. */
export const SITE_FILES = ['/favicon.ico', '/manifest.webmanifest', '/robots.txt'] as const;

export function siteFiles({ assets, icon }: Pick<Bundle, 'assets' | 'icon'>): ReadonlyMap<string, Asset> {
  const picture = assets.get(icon);
  if (picture === undefined) throw new Error(`the bundle has no ${icon}`);
  const manifest = {
    name: SERVICE_NAME,
    short_name: 'Paper Trading',
    start_url: '/',
    display: 'minimal-ui',
    theme_color: '#0b6e4f',
    background_color: '#fffdf7',
    icons: [{ src: icon, type: picture.contentType, sizes: 'any' }],
  };
  const files: Readonly<Record<(typeof SITE_FILES)[number], Asset>> = {
    '/favicon.ico': picture,
    '/manifest.webmanifest': { contentType: 'application/manifest+json', bytes: Buffer.from(JSON.stringify(manifest)) },
    '/robots.txt': { contentType: 'text/plain; charset=utf-8', bytes: Buffer.from(ROBOTS) },
  };
  return new Map(Object.entries(files));
}
