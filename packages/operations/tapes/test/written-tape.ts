import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openTape } from '../src/index.ts';
import type { Tape, TapeEvent } from '../src/index.ts';

const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** A new folder with these files: texts, bytes, or lines of values as JSON. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array | readonly unknown[]>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tape-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' || content instanceof Uint8Array ? content : ndjson(content);
    writeFileSync(path.join(folder, name), bytes);
  }
  return folder;
}

export const ndjson = (lines: readonly unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

export interface ReadTape extends Tape {
  readonly played: readonly TapeEvent[];
}

/** Opens the folder of these files as one tape, and reads its events. */
export async function tapeOf(files: Parameters<typeof folderOf>[0]): Promise<ReadTape> {
  return readTape(folderOf(files));
}

export async function readTape(place: string): Promise<ReadTape> {
  const tape = await openTape(place);
  const played: TapeEvent[] = [];
  for await (const event of tape.events()) played.push(event);
  return { ...tape, played };
}

export async function refusalOf(files: Parameters<typeof folderOf>[0]): Promise<string> {
  try {
    await openTape(folderOf(files));
  } catch (error) {
    return (error as Error).message.replace(/tape-\w+/g, 'TAPE');
  }
  throw new Error('the tape was not refused');
}

/** Messages of Kalshi as they are recorded, of market M. Times are ms after T0. */
export const T0 = Date.UTC(2026, 7, 5, 12);
const recorded = (ms: number, type: string, msg: object, market = 'M') => ({
  recv_ms: T0 + ms,
  event: { type, sid: 1, seq: 1, msg: { market_ticker: market, ts_ms: T0 + ms - 10, ...msg } },
});
type Side = readonly (readonly [price: string, size: string])[];
export const snapshot = (ms: number, yes: Side, no: Side, market?: string) =>
  recorded(ms, 'orderbook_snapshot', { yes_dollars_fp: yes, no_dollars_fp: no }, market);
export const delta = (
  ms: number,
  side: 'yes' | 'no',
  price: string,
  size: string,
  more: object = {},
  market?: string,
) => recorded(ms, 'orderbook_delta', { side, price_dollars: price, delta_fp: size, ...more }, market);
export const trade = (ms: number, taker: string | null, yesPrice: string, size: string, more: object = {}) =>
  recorded(ms, 'trade', {
    yes_price_dollars: yesPrice,
    count_fp: size,
    ...(taker === null ? {} : { taker_outcome_side: taker }),
    ...more,
  });

/** Shares as the size of an event. */
export const shares = (count: number): number => Math.round(count * 1_000_000);
