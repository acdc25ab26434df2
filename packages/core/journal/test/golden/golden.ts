import { readdirSync, readFileSync } from 'node:fs';
import type { EventType } from '@paper/exchange/events';
import { commandSplit, eventVersion } from '../../src/formats.ts';
import type { JournalEvent, StoredEvent } from '../../src/index.ts';

/**
 * A stored event with the result that every later build must decode from it, except for fields that newer versions
 * added.
 */
export interface GoldenVector {
  readonly decoded: JournalEvent;
  readonly stored: StoredEvent;
}

/**
 * All golden files, each one journal. Together they have every type of event in every version. A file is never made
 * anew once its versions are released: a new version of an event adds a file, whose events the program of that time
 * wrote (`write-golden.ts` does).
 */
export const goldenFiles: readonly (readonly GoldenVector[])[] = readdirSync(new URL('.', import.meta.url))
  .filter((name) => /^format-\d+\.json$/.test(name))
  .sort((a, b) => parseInt(a.slice(7), 10) - parseInt(b.slice(7), 10))
  .map((name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as readonly GoldenVector[]);

/** Whether all of a decision is in the versions that are written today. */
export function isOfToday(decision: readonly GoldenVector[]): boolean {
  const [first] = decision;
  if (first === undefined || first.decoded.command === null) return false;
  const { commandVersion: version } = JSON.parse(first.stored.publicText) as { commandVersion: number };
  return (
    version === commandSplit(first.decoded.command.type).version &&
    decision.every(({ decoded, stored }) => decoded.version === eventVersion(stored.type as EventType))
  );
}

/** The first file: one journal with every type of event, and with MarketListed also in version 1. */
export const goldenVectors: readonly GoldenVector[] = goldenFiles[0] ?? [];

export const goldenEvents: readonly StoredEvent[] = goldenVectors.map(({ stored }) => stored);
