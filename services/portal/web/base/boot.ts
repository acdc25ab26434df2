import { createContext } from 'preact';
import type { PageReads, ReadAnswer } from '../../src/pages/read-answer.ts';

export interface Boot {
  readonly reads: PageReads;
  /** The addresses of style sheets that only some pages have: the list of markets, and the others. */
  readonly listStyles: string;
  readonly moreStyles: string;
  readonly workers: Readonly<Record<string, string>>;
}

/** The answers that came with the page, by path; empty after its first rendering. */
export const FirstReadsContext = createContext<ReadonlyMap<string, ReadAnswer>>(new Map());

let boot: Boot | null = null;

export function readBoot(): Boot {
  const text = document.getElementById('boot')?.textContent ?? '';
  boot ??= text === '' ? { listStyles: '', moreStyles: '', reads: {}, workers: {} } : (JSON.parse(text) as Boot);
  return boot;
}

/** Starts the worker whose source is `web/**\/<name>.worker.ts`. */
export function startWorker(name: string): Worker {
  const address = readBoot().workers[name];
  if (address === undefined) throw new Error(`the bundle has no worker ${name}`);
  return new Worker(address, { type: 'module' });
}
