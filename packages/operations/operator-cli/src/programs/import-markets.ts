import { importMarkets } from '@paper/importers';
import { operatorProgram, runOperatorCommand } from '../operator-command.ts';

const program = operatorProgram('import-markets', 'List the markets of a question set.');

/** `npm run import-markets -- --format forecastbench FILE` lists the binary market questions of a question set. */
await runOperatorCommand(program, ['forecastbench'], (source, client) =>
  importMarkets(source, () => client.markets(), Date.now()),
);
