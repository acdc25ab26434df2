import { readFile } from 'node:fs/promises';
import { planResolve } from './forecastbench.ts';
import { countLines, runOperatorCommand, runShown, sum } from './operator-command.ts';

/** `npm run resolve-markets -- --format forecastbench FILE` resolves imported markets by a resolution set. */
await runOperatorCommand(
  'resolve-markets',
  'Resolve imported markets.',
  ['forecastbench'],
  async (file, client, baseUrl) => {
    const markets = await client.markets();
    const plan = planResolve(await readFile(file, 'utf8'), markets);
    const settled = new Set(markets.filter((m) => m.phase === 'resolved' || m.phase === 'void').map((m) => m.id));
    const results = await runShown(client, plan.commands);

    let [resolved, unchanged, kept] = [0, 0, 0];
    const failures = new Map<string, number>();
    for (const [index, result] of results.entries()) {
      const id = plan.commands[index]?.id ?? '';
      if (result.ok) {
        if (settled.has(id)) unchanged += 1;
        else resolved += 1;
      } else if (result.code === 'market_already_resolved') kept += 1;
      else {
        failures.set(result.error, (failures.get(result.error) ?? 0) + 1);
        console.error(`${id}: ${result.error}`);
      }
    }
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
