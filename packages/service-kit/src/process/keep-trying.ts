import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import type { Teardown } from './teardown.ts';

const BACK_OFF_MS_MIN = 100;
const BACK_OFF_MS_MAX = 2_000;

/**
 * Opens what may not be there yet, again and again until it is, and notes how it is closed. Rejects never: a service
 * whose servers are away waits for them, says so, and begins by itself when they come.
 */
export async function keepTrying<T extends { close(): Promise<void> }>(
  name: string,
  open: () => Promise<T>,
  { logger, teardown }: { readonly logger: Logger; readonly teardown: Teardown },
): Promise<T> {
  for (let backOffMs = BACK_OFF_MS_MIN; ; backOffMs = Math.min(BACK_OFF_MS_MAX, 2 * backOffMs)) {
    try {
      const opened = await open();
      await teardown.add(name, () => opened.close());
      return opened;
    } catch (error) {
      if (!teardown.begun()) logger.warn({ err: error, backOffMs }, `the ${name} cannot be opened; it is tried on`);
      await sleep(backOffMs, undefined, { ref: !teardown.begun() });
    }
  }
}
