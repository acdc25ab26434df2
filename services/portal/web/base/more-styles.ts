import type { PageName } from '../../src/pages/paths.ts';
import { moreStylesOf } from '../../src/pages/paths.ts';
import { readBoot } from './boot.ts';
import { IS_SERVER } from './is-server.ts';

const loading = new Map<string, Promise<void>>();

/** Loads a page's second style sheet, if it has one. The page is readable without it. */
export function loadStylesOf(name: PageName): Promise<void> {
  const sheet = moreStylesOf(name);
  return sheet === null ? Promise.resolve() : loadStyles(sheet);
}

export function loadStyles(sheet: 'listStyles' | 'moreStyles'): Promise<void> {
  if (IS_SERVER) return Promise.resolve();
  const address = readBoot()[sheet];
  const begun = loading.get(address) ?? load(address);
  loading.set(address, begun);
  return begun;
}

function load(address: string): Promise<void> {
  if (document.querySelector(`style[data-of="${address}"]`) !== null) return Promise.resolve();
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address });
  return new Promise((resolve) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve());
    document.head.append(link);
  });
}
