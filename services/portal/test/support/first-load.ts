import type { Tab } from '@paper/testkit/browser';

/** What a page transfers until it is idle: everything but the events of streams. */
export interface FirstLoad {
  /** The path and the bytes of each file. */
  readonly files: readonly string[];
  readonly bytes: number;
}

/**
 * Opens a page with an empty cache.
 *
 * @param isThere waits until what is loaded last is there
 */
export async function firstLoad(tab: Tab, address: string, isThere: () => Promise<void>): Promise<FirstLoad> {
  const cdp = await tab.page.context().newCDPSession(tab.page);
  const transferred = new Map<string, { readonly path: string; bytes: number }>();
  cdp.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    // The page before may still load what it loads when it is idle.
    if (type === 'Document') transferred.clear();
    transferred.set(requestId, { path: new URL(request.url).pathname, bytes: 0 });
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const file = transferred.get(requestId);
    if (file !== undefined) file.bytes = encodedDataLength;
  });
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await tab.page.goto(address);
  await isThere();
  return {
    files: [...transferred.values()].map(({ path, bytes }) => `${path} ${bytes}`),
    bytes: [...transferred.values()].reduce((sum, file) => sum + file.bytes, 0),
  };
}
