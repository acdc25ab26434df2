import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from '@paper/testkit/browser';

/** The cost of a list of markets that stays open, minute by minute. */
export interface LeftOpen {
  /** The used bytes of the page's heap at each minute, after a collection of garbage. */
  readonly heap: readonly number[];
  /** The bytes of its event streams in each minute, as they were sent. */
  readonly streamed: readonly number[];
}

const MINUTE_MS = 60_000;

/** Opens the list in a new profile, leaves it open for this many minutes, and measures at the end of each. */
export async function leaveListOpen(
  browser: Browser,
  url: string,
  viewport: { readonly width: number; readonly height: number },
  minutes: number,
): Promise<LeftOpen> {
  const context = await browser.newContext({ viewport });
  try {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const streams = new Set<string>();
    let bytes = 0;
    cdp.on('Network.responseReceived', ({ requestId, response: { mimeType } }) => {
      if (mimeType === 'text/event-stream') streams.add(requestId);
    });
    cdp.on('Network.dataReceived', ({ requestId, encodedDataLength, dataLength }) => {
      // A chunk of an answer that is not compressed may be reported without its encoded length.
      if (streams.has(requestId)) bytes += encodedDataLength === 0 ? dataLength : encodedDataLength;
    });
    await cdp.send('Network.enable');
    await page.goto(url);
    const heap: number[] = [];
    const streamed: number[] = [];
    while (heap.length < minutes) {
      const before = bytes;
      await sleep(MINUTE_MS);
      streamed.push(bytes - before);
      await cdp.send('HeapProfiler.collectGarbage');
      heap.push((await cdp.send('Runtime.getHeapUsage')).usedSize);
    }
    return { heap, streamed };
  } finally {
    await context.close();
  }
}
