import { readFile } from 'node:fs/promises';
import { planResolve } from './forecastbench.ts';
import { countLines, runOperatorCommand, runShown, sum, tallyMarkets } from './operator-command.ts';

/** `npm run resolve-markets -- --format forecastbench FILE` resolves imported markets by a resolution set. */
await runOperatorCommand(
  'resolve-markets',
  'Resolve imported markets.',
  ['forecastbench'],
  async (file, client, baseUrl) => {
    const markets = await client.markets();
    const plan = planResolve(await readFile(file, 'utf8'), markets);
    const results = await runShown(client, plan.commands);

    const ids = plan.commands.map((command) => command.id);
    const { changed: resolved, unchanged, kept, failures } = tallyMarkets(ids, results, 'market_already_resolved');
    const failed = sum(failures);
    const lines = [
      `${file} into ${baseUrl}`,
      ...countLines('resolved', resolved),
      ...countLines('unchanged', unchanged, 'resolved already, to the same outcome'),
      ...countLines('kept', kept, 'settled already, in another way'),
      ...countLines('skipped', sum(plan.skipped), '', plan.skipped),
      ...countLines('failed', failed, '', failures),
    ];
    console.log(lines.join('\n'));
    if (resolved === 0 && failed === 0) console.log('Nothing changed.');
    return { failed };
  },
);
