import { validationMessage } from '@paper/contracts';
import { RecordSignalInput } from '@paper/contracts/operator';
import type { BatchCommandBody } from '@paper/contracts/operator';
import { forecastBenchKind, isObject } from './forecastbench.ts';
import { planOf } from './plan.ts';
import type { Plan, PlannedItem } from './plan.ts';
import { replaceRefused } from './refused-characters.ts';

export type RecordCommand = Extract<BatchCommandBody, { op: 'record-signal' }>;

/** Plans the signals of a file in JSON Lines (docs/operate/signals.md). @throws Error for a ForecastBench file. */
export function planSignalLines(text: string): Plan<RecordCommand> {
  const kind = forecastBenchKind(wholeJson(text));
  if (kind === 'questions') throw new Error('this is a question set of ForecastBench: use --format forecastbench');
  if (kind === 'resolutions') {
    throw new Error(
      'this is a resolution set of ForecastBench: use npm run resolve-markets -- --format forecastbench FILE',
    );
  }
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  return planOf(lines.flatMap((line, index) => (line.trim() === '' ? [] : [planLine(line, index + 1)])));
}

function planLine(line: string, number: number): PlannedItem<RecordCommand> {
  const fault = (what: string): PlannedItem<never> => ({ kind: 'fault', fault: `line ${number}: ${what}` });
  let item: unknown;
  try {
    item = JSON.parse(line);
  } catch {
    return fault('is not JSON');
  }
  if (!isObject(item)) return fault('is not a JSON object');
  return planSignal(item, [], fault);
}

/** Plans a signal under its source and external id; `refused` makes the item of one that the service would refuse. */
export function planSignal(
  signal: object,
  adjustments: string[],
  refused: (reason: string) => PlannedItem<never>,
): PlannedItem<RecordCommand> {
  const parsed = RecordSignalInput.safeParse(replaceRefused(signal, adjustments));
  if (!parsed.success) return refused(validationMessage(parsed.error));
  const { externalId, source } = parsed.data;
  const name = JSON.stringify([source, externalId]);
  return { kind: 'command', name, command: { op: 'record-signal', ...parsed.data }, adjustments };
}

/** Parses the text as one JSON value; null for JSON Lines. */
function wholeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
