import { parseInstant } from '@paper/contracts/units';
import { planSignalLines } from '@paper/importers';
import type { Skips } from './skips.ts';
import type { NewsEvent } from './tape-event.ts';

/**
 * Reads the news file of a tape: JSON Lines in the format of import-signals, in any order. A line that is no signal, or
 * repeats an earlier one, is skipped.
 */
export function parseNews({ file, text }: { readonly file: string; readonly text: string }, skips: Skips): NewsEvent[] {
  const known = new Set<string>();
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const [signal] = signalsOf(line);
    const name = JSON.stringify([signal?.source, signal?.externalId]);
    if (signal === undefined || known.has(name)) {
      skips.add('news', { file, line: index + 1 });
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
