import { importMarkets } from '@paper/importers';
import { runImport } from '../operator-command.ts';

/** `npm run import-markets -- --format forecastbench FILE` lists the binary market questions of a question set. */
await runImport('import-markets', (source, client) => importMarkets(source, () => client.markets(), Date.now()));
