import { parseInstant } from '@paper/contracts/units';
import { planSignalLines } from '@paper/importers';
import type { Skips } from './skips.ts';
import type { NewsEvent } from './tape-event.ts';

/** The file of the news beside a tape. */
export const NEWS = 'news.jsonl';

/** Reads a tape's news: JSON Lines as import-signals takes them, in any order. Other lines and repeats are skipped. */
export function parseNews(text: string, skips: Skips): NewsEvent[] {
  const known = new Set<string>();
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const [signal] = signalsOf(line);
    const name = JSON.stringify([signal?.source, signal?.externalId]);
    if (signal === undefined || known.has(name)) {
      skips.add('news', { file: NEWS, line: index + 1 });
      return [];
    }
    known.add(name);
    return [{ kind: 'news', atMs: parseInstant(signal.publishedAt), signal }];
  });
}

function signalsOf(line: string): ReturnType<typeof planSignalLines>['commands'] {
  try {
    return planSignalLines(line).commands;
  } catch {
    // The line has the format of ForecastBench.
    return [];
  }
}
