import type { PageName } from '../../src/pages/paths.ts';
import { hasMoreStyles } from '../../src/pages/paths.ts';
import { readBoot } from './boot.ts';
import { IS_SERVER } from './is-server.ts';

let loading: Promise<void> | null = null;

/** Loads the style sheet that a page has besides the first one, where it has it. A page without it can still be read. */
export function loadStylesOf(name: PageName): Promise<void> {
  return hasMoreStyles(name) ? loadMoreStyles() : Promise.resolve();
}

/** Loads the style sheet of the pages that most visitors do not come to first. */
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
