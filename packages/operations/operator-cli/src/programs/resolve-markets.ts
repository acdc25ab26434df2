import { resolveMarkets } from '@paper/importers';
import { runImport } from '../operator-command.ts';

/** `npm run resolve-markets -- --format forecastbench FILE` resolves imported markets by a resolution set. */
await runImport('resolve-markets', async (source, client) => resolveMarkets(source, await client.markets()));
