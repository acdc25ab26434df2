import { importSignals } from '@paper/importers';
import { runImport } from '../operator-command.ts';

/** `npm run import-signals -- --format forecastbench|jsonl FILE` records the cited signals of a file. */
await runImport<'forecastbench' | 'jsonl'>('import-signals', (source, _client, format) =>
  importSignals(source, format),
);
