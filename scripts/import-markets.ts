import { readFile } from 'node:fs/promises';
import { planImport } from './forecastbench.ts';
import { countLines, runOperatorCommand, runShown, sum } from './operator-command.ts';

/** `npm run import-markets -- --format forecastbench FILE` lists the binary market questions of a question set. */
await runOperatorCommand(
  'import-markets',
  'List the markets of a question set.',
  ['forecastbench'],
  async (file, client, baseUrl) => {
    const plan = planImport(await readFile(file, 'utf8'));
    const before = new Set((await client.markets()).map((market) => market.id));
    const results = await runShown(client, plan.commands);

    let [listed, unchanged, kept] = [0, 0, 0];
    const failures = new Map<string, number>();
    for (const [index, result] of results.entries()) {
      const id = plan.commands[index]?.id ?? '';
      if (result.ok) {
        if (before.has(id)) unchanged += 1;
        else listed += 1;
      } else if (result.code === 'idempotency_conflict') kept += 1;
      else {
        failures.set(result.error, (failures.get(result.error) ?? 0) + 1);
        console.error(`${id}: ${result.error}`);
      }
    }
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
