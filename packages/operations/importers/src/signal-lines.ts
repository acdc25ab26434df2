import { validationMessage } from '@paper/contracts';
import { RecordSignalInput } from '@paper/contracts/operator';
import { forecastBenchKind, isObject } from './forecastbench.ts';
import { replaceRefused } from './refused-characters.ts';
import { planOf } from './signal-plan.ts';
import type { PlannedSignal, SignalPlan } from './signal-plan.ts';

/** Plans the signals of a file in JSON Lines (docs/operate/signals.md). @throws Error for a ForecastBench file. */
export function planSignalLines(text: string): SignalPlan {
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

function planLine(line: string, number: number): PlannedSignal {
  const fault = (what: string): PlannedSignal => ({ kind: 'fault', fault: `line ${number}: ${what}` });
  let item: unknown;
  try {
    item = JSON.parse(line);
  } catch {
    return fault('is not JSON');
  }
  if (!isObject(item)) return fault('is not a JSON object');
  const adjustments: string[] = [];
  const parsed = RecordSignalInput.safeParse(replaceRefused(item, adjustments));
  if (!parsed.success) return fault(validationMessage(parsed.error));
  return { kind: 'signal', command: { op: 'record-signal', ...parsed.data }, adjustments };
}

/** Null for JSON Lines. */
function wholeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
