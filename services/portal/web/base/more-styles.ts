import type { PageName } from '../../src/pages/paths.ts';
import { needsMoreStyles } from '../../src/pages/paths.ts';
import { readBoot } from './boot.ts';
import { IS_SERVER } from './is-server.ts';

let loading: Promise<void> | null = null;

/** Loads the second style sheet of a page, if it has one. The page can be read without it. */
export function loadStylesOf(name: PageName): Promise<void> {
  return needsMoreStyles(name) ? loadMoreStyles() : Promise.resolve();
}

/** Loads the style sheet of the pages on which few visits start. */
export function loadMoreStyles(): Promise<void> {
  loading ??= IS_SERVER ? Promise.resolve() : load(readBoot().moreStyles);
  return loading;
}

function load(address: string): Promise<void> {
  if (document.querySelector(`link[href="${address}"]`) !== null) return Promise.resolve();
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address });
  return new Promise((resolve) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve());
    document.head.append(link);
  });
}
