import { count, sum } from './counts.ts';
import { planQuestionSignals } from './forecastbench-signals.ts';
import type { Import, ImportReport } from './import.ts';
import { planOfFile } from './input-file.ts';
import { countFacts, countLines } from './report.ts';
import type { Tallies } from './report.ts';
import { planSignalLines } from './signal-lines.ts';

const READERS = { forecastbench: planQuestionSignals, jsonl: planSignalLines };

export type SignalFormat = keyof typeof READERS;

/** Refusals whose cause is the market's state, not the signal. */
const SKIPPED: Readonly<Record<string, string>> = {
  market_not_found: 'market not listed',
  market_already_resolved: 'market settled',
};

/**
 * Records the cited signals of a file.
 * @throws Error that begins with the file's name, when it cannot be read or does not have the format.
 */
export async function importSignals(
  { baseUrl, file, onFault, run }: Import,
  format: SignalFormat,
): Promise<ImportReport> {
  const plan = await planOfFile(file, READERS[format]);
  const results = await run(plan.commands);

  let [recorded, unchanged] = [0, 0];
  const skipped = new Map(plan.skipped);
  const failures = new Map<string, number>();
  for (const fault of plan.faults) {
    count(failures, 'not of the format');
    onFault(file, fault);
  }
  for (const [index, result] of results.entries()) {
    const skip = result.ok ? undefined : SKIPPED[result.code];
    if (skip !== undefined) {
      count(skipped, skip);
    } else if (!result.ok) {
      const { source, externalId } = plan.commands[index] ?? {};
      count(failures, result.error);
      onFault(`${source ?? ''} ${externalId ?? ''}`, result.error);
    } else if (result.changed) {
      recorded += 1;
    } else {
      unchanged += 1;
    }
  }
  const failed = sum(failures);
  const tallies: Tallies = {
    recorded: [recorded],
    unchanged: [unchanged, 'recorded already'],
    adjusted: [plan.adjusted, 'of these signals', plan.adjustments],
    skipped: [sum(skipped), '', skipped],
    failed: [failed, '', failures],
  };
  const lines = [
    `${file} into ${baseUrl}`,
    ...countLines(tallies),
    recorded === 0 && failed === 0
      ? 'Nothing changed.'
      : `\nNext: see them by curl -s '${baseUrl}/api/signals/recent?limit=3'`,
  ];
  return { failed, facts: countFacts(tallies), text: lines.join('\n') };
}
