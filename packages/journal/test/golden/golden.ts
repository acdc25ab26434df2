import { readFileSync } from 'node:fs';
import type { JournalEvent, StoredEvent } from '../../src/index.ts';

/** A stored event, and what every later build must read it as. */
export interface GoldenVector {
  readonly decoded: JournalEvent;
  readonly stored: StoredEvent;
}

/**
 * One journal with every type of event, and with one event in each version that is no longer written. The file is
 * never made anew: a new version of an event adds a file, whose events the program of that time wrote.
 */
export const goldenVectors = JSON.parse(
  readFileSync(new URL('format-1.json', import.meta.url), 'utf8'),
) as readonly GoldenVector[];

export const goldenEvents: readonly StoredEvent[] = goldenVectors.map(({ stored }) => stored);
