import { sum } from './counts.ts';
import { planResolve } from './forecastbench.ts';
import type { ListedMarket } from './forecastbench.ts';
import type { Import, ImportReport } from './import.ts';
import { planOfFile } from './input-file.ts';
import { countLines, tallyMarkets } from './report.ts';

/**
 * Resolves imported markets by a resolution set.
 *
 * @param markets every market that the service has
 * @throws Error that begins with the file's name: it cannot be read, or is no resolution set.
 */
export async function resolveMarkets(
  { baseUrl, file, onFault, run }: Import,
  markets: readonly ListedMarket[],
): Promise<ImportReport> {
  const plan = await planOfFile(file, (text) => planResolve(text, markets));
  const results = await run(plan.commands);

  const ids = plan.commands.map((command) => command.id);
  const {
    changed: resolved,
    unchanged,
    kept,
    failures,
  } = tallyMarkets(ids, results, { keptCode: 'market_already_resolved', onFault });
  const failed = sum(failures);
  const lines = [
    `${file} into ${baseUrl}`,
    '',
    'Imported markets that are in the file:',
    ...countLines('resolved', resolved),
    ...countLines('unchanged', unchanged, 'resolved already, to the same outcome'),
    ...countLines('kept', kept, 'settled already, in another way'),
    ...countLines('skipped', sum(plan.marketsSkipped), '', plan.marketsSkipped),
    ...countLines('failed', failed, '', failures),
    '',
    `Of the file's ${plan.rows} rows:`,
    ...countLines('skipped', sum(plan.rowsSkipped), '', plan.rowsSkipped),
    '',
    `Imported markets that are not in the file: ${plan.notInFile}`,
    '',
    resolved === 0 && failed === 0
      ? 'Nothing changed.'
      : `Next: see them settled by curl -s '${baseUrl}/api/markets?status=resolved&limit=3'`,
  ];
  return { failed, text: lines.join('\n') };
}
