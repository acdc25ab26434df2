import { sum } from './counts.ts';
import { planResolve } from './forecastbench.ts';
import type { ListedMarket } from './forecastbench.ts';
import type { Import, ImportReport } from './import.ts';
import { planOfFile } from './input-file.ts';
import { countFacts, countLines, tallyMarkets } from './report.ts';
import type { Tallies } from './report.ts';

/**
 * Resolves imported markets by a resolution set.
 * @throws Error that begins with the file's name, when it cannot be read or is not a resolution set.
 */
export async function resolveMarkets(
  { baseUrl, file, onFault, run }: Import,
  markets: readonly ListedMarket[],
): Promise<ImportReport> {
  const plan = await planOfFile(file, (text) => planResolve(text, markets));
  const results = await run(plan.commands);

  const ids = plan.commands.map((command) => command.id);
  const tally = tallyMarkets(ids, results, 'market_already_resolved', onFault);
  const { changed: resolved, unchanged, kept, failures } = tally;
  const failed = sum(failures);
  const tallies: Tallies = {
    resolved: [resolved],
    unchanged: [unchanged, 'resolved already, to the same outcome'],
    kept: [kept, 'settled already, in another way'],
    skipped: [sum(plan.marketsSkipped), '', plan.marketsSkipped],
    failed: [failed, '', failures],
  };
  const ofRows: Tallies = { skipped: [sum(plan.rowsSkipped), '', plan.rowsSkipped] };
  const lines = [
    `${file} into ${baseUrl}`,
    '',
    'Imported markets that are in the file:',
    ...countLines(tallies),
    '',
    `Of the file's ${plan.rows} rows:`,
    ...countLines(ofRows),
    '',
    `Imported markets that are not in the file: ${plan.notInFile}`,
    '',
    resolved === 0 && failed === 0
      ? 'Nothing changed.'
      : `Next: see them settled by curl -s '${baseUrl}/api/markets?status=resolved&limit=3'`,
  ];
  const facts = {
    ...countFacts(tallies),
    rows: { total: plan.rows, ...countFacts(ofRows) },
    notInFile: plan.notInFile,
  };
  return { failed, facts, text: lines.join('\n') };
}
