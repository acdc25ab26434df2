import { planResolve } from './forecastbench.ts';
import { planOfFile } from './input-file.ts';
import { countLines, operatorProgram, runOperatorCommand, runShown, sum, tallyMarkets } from './operator-command.ts';

const program = operatorProgram('resolve-markets', 'Resolve imported markets by a resolution set.');

/** `npm run resolve-markets -- --format forecastbench FILE` resolves imported markets by a resolution set. */
await runOperatorCommand(program, ['forecastbench'], async (file, client, baseUrl) => {
  const markets = await client.markets();
  const plan = await planOfFile(file, (text) => planResolve(text, markets));
  const results = await runShown(client, plan.commands);

  const ids = plan.commands.map((command) => command.id);
  const { changed: resolved, unchanged, kept, failures } = tallyMarkets(ids, results, 'market_already_resolved');
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
  console.log(lines.join('\n'));
  return { failed };
});
