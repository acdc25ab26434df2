import type { Asset, Bundle } from './bundle.ts';
import { SERVICE_NAME } from './paths.ts';

const ROBOTS = `User-agent: *
Allow: /api/docs
Disallow: /api/
Disallow: /portal/
`;

/** Files that browsers and search engines look for at a fixed address. */
export function siteFiles({ assets, icon }: Pick<Bundle, 'assets' | 'icon'>): readonly (readonly [string, Asset])[] {
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
  return [
    ['/favicon.ico', picture],
    [
      '/manifest.webmanifest',
      { contentType: 'application/manifest+json', bytes: Buffer.from(JSON.stringify(manifest)) },
    ],
    ['/robots.txt', { contentType: 'text/plain; charset=utf-8', bytes: Buffer.from(ROBOTS) }],
  ];
}
