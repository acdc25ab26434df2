import { resolveMarkets } from '@paper/importers';
import { operatorProgram, runOperatorCommand } from '../operator-command.ts';

/** `npm run resolve-markets -- --format forecastbench FILE` resolves imported markets by a resolution set. */
await runOperatorCommand(
  operatorProgram('resolve-markets', 'Resolve imported markets by a resolution set.'),
  ['forecastbench'],
  async (source, client) => resolveMarkets(source, await client.markets()),
);
