import { readFile } from 'node:fs/promises';
import { planImport } from './forecastbench.ts';
import { countLines, runOperatorCommand, runShown, sum, tallyMarkets } from './operator-command.ts';

/** `npm run import-markets -- --format forecastbench FILE` lists the binary market questions of a question set. */
await runOperatorCommand(
  'import-markets',
  'List the markets of a question set.',
  ['forecastbench'],
  async (file, client, baseUrl) => {
    const plan = planImport(await readFile(file, 'utf8'));
    const results = await runShown(client, plan.commands);

    const ids = plan.commands.map((command) => command.id);
    const { changed: listed, unchanged, kept, failures } = tallyMarkets(ids, results, 'idempotency_conflict');
    const failed = sum(failures);
    const lines = [
      `${file} into ${baseUrl}`,
      ...countLines('listed', listed),
      ...countLines('unchanged', unchanged, 'listed already, with the same text'),
      ...countLines('kept', kept, 'listed already, with other text'),
      ...countLines('adjusted', plan.adjusted, 'of these markets', plan.adjustments),
      ...countLines('skipped', sum(plan.skipped), '', plan.skipped),
      ...countLines('failed', failed, '', failures),
    ];
    console.log(lines.join('\n'));
    if (listed === 0 && failed === 0) console.log('Nothing changed.');
    return { failed };
  },
);
