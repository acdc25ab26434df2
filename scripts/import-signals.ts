import { count } from './forecastbench.ts';
import { planQuestionSignals } from './forecastbench-signals.ts';
import { planOfFile } from './input-file.ts';
import { countLines, operatorProgram, runOperatorCommand, runShown, sum } from './operator-command.ts';
import { planSignalLines } from './signal-lines.ts';

const READERS = { forecastbench: planQuestionSignals, jsonl: planSignalLines };

/** What the service refuses because of the market, which is no fault of the signal. */
const SKIPPED: Readonly<Record<string, string>> = {
  market_not_found: 'market not listed',
  market_already_resolved: 'market settled',
};

/** `npm run import-signals -- --format forecastbench|jsonl FILE` records the cited signals of a file. */
await runOperatorCommand(
  operatorProgram('import-signals', 'Record the cited signals of a file.'),
  ['forecastbench', 'jsonl'],
  async (file, client, baseUrl, format) => {
    const plan = await planOfFile(file, READERS[format]);
    const results = await runShown(client, plan.commands);

    let [recorded, unchanged] = [0, 0];
    const skipped = new Map(plan.skipped);
    const failures = new Map<string, number>();
    for (const fault of plan.faults) {
      count(failures, 'not of the format');
      console.error(`${file}: ${fault}`);
    }
    for (const [index, result] of results.entries()) {
      const skip = result.ok ? undefined : SKIPPED[result.code];
      if (skip !== undefined) count(skipped, skip);
      else if (!result.ok) {
        const { source, externalId } = plan.commands[index] ?? {};
        count(failures, result.error);
        console.error(`${source ?? ''} ${externalId ?? ''}: ${result.error}`);
      } else if (result.changed) recorded += 1;
      else unchanged += 1;
    }
    const failed = sum(failures);
    const lines = [
      `${file} into ${baseUrl}`,
      ...countLines('recorded', recorded),
      ...countLines('unchanged', unchanged, 'recorded already'),
      ...countLines('adjusted', plan.adjusted, 'of these signals', plan.adjustments),
      ...countLines('skipped', sum(skipped), '', skipped),
      ...countLines('failed', failed, '', failures),
    ];
    console.log(lines.join('\n'));
    console.log(
      recorded === 0 && failed === 0
        ? 'Nothing changed.'
        : `\nNext: see them by curl -s '${baseUrl}/api/signals/recent?limit=3'`,
    );
    return { failed };
  },
);
