import { importMarkets } from '@paper/importers';
import { operatorProgram, runOperatorCommand } from '../operator-command.ts';

const program = operatorProgram('import-markets', 'List the markets of a question set.').option(
  '--keep-open',
  'list markets active whose closing time has passed (default: closed)',
);

/** `npm run import-markets -- --format forecastbench FILE` lists the binary market questions of a question set. */
await runOperatorCommand(program, ['forecastbench'], (source, client) => {
  const keepOpen = program.opts<{ readonly keepOpen?: true }>().keepOpen === true;
  return importMarkets(source, () => client.markets(), { keepOpen, now: Date.now() });
});
