import path from 'node:path';
import { VERSION } from '../../src/version.ts';
import type { Sample } from '../samples.ts';

/** The recorded bytes of the sample answers: a line an endpoint. A client may rely on every one of them. */
export const RECORDED = path.join(import.meta.dirname, 'answers.jsonl');

/** The lines of the recorded file, by endpoint: the endpoint's id, then its sample answers. A release changes none. */
export function answerLines(samples: Readonly<Record<string, Sample>>): ReadonlyMap<string, string> {
  const withoutVersion = (_name: string, value: unknown) => (value === VERSION ? 'VERSION' : value);
  return new Map(
    Object.entries(samples).map(([id, { answers }]) => [id, JSON.stringify([id, ...answers], withoutVersion)]),
  );
}
