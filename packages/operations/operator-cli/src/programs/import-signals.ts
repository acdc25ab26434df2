import { importSignals } from '@paper/importers';
import { operatorProgram, runOperatorCommand } from '../operator-command.ts';

/** `npm run import-signals -- --format forecastbench|jsonl FILE` records the cited signals of a file. */
await runOperatorCommand(
  operatorProgram('import-signals', 'Record the cited signals of a file.'),
  ['forecastbench', 'jsonl'],
  (source, _client, format) => importSignals(source, format),
);
