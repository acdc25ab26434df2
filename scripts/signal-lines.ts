import { RecordSignalInput, validationMessage } from '@paper/contracts';
import { isObject } from './forecastbench.ts';
import { planOf, type PlannedSignal, type SignalPlan } from './signal-plan.ts';

/** The signals of a file in JSON Lines, as docs/signals.md has it: one signal a line. A line that is none is a fault. */
export function planSignalLines(text: string): SignalPlan {
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
  const parsed = RecordSignalInput.safeParse(item);
  if (!parsed.success) return fault(validationMessage(parsed.error));
  return { kind: 'signal', command: { op: 'record-signal', ...parsed.data }, adjustments: [] };
}
