import path from 'node:path';
import { utcText } from '@paper/contracts';
import { exportJournal, exportJournalFiles, FORMATS, TABLE_NAMES } from '@paper/exports';
import type { Format, JournalManifest, Manifest, TableName } from '@paper/exports';
import { Command, InvalidArgumentError, Option } from 'commander';
import { print } from '@paper/runtime';
import { orExitCode2 } from '../exit-code.ts';
import { openExportSource } from '../export/export-source.ts';
import { showProgress } from '../progress.ts';

/**
 * `npm run export` writes markets, accounts, signals, trades, orders and what became of them into a folder, or the public
 * journal itself in files that verify-journal.mjs checks, with or without a running service. It reads the public part of the journal,
 * and writes no private data.
 */
interface Options {
  readonly out: string;
  readonly market?: string;
  readonly account?: string;
  readonly from?: number;
  readonly to?: number;
  readonly format: Format | 'journal';
  readonly tables?: readonly TableName[];
  readonly journal?: string;
}

const options = new Command('export')
  .description(`Write tables of the journal as files, with a manifest of their hashes: ${TABLE_NAMES.join(', ')}.`)
  .requiredOption('--out <dir>', 'the folder to make; it is new, or empty')
  .option('--tables <names>', 'only these tables, with commas between (default: all)', tablesOf)
  .option('--market <id>', 'only rows of this market (accounts and equity are of all markets)')
  .option('--account <id>', 'only rows of this account (markets, signals and candles are of all accounts)')
  .option('--from <time>', 'only rows from this time on; of an order, the time of its placement', timeOf)
  .option('--to <time>', 'the exchange as it was just before this time', timeOf)
  .addOption(
    new Option('--format <name>', 'the format of the files; journal: the public journal itself, a file for each year')
      .choices([...FORMATS, 'journal'])
      .default('parquet'),
  )
  .option(
    '--journal <place>',
    'postgresql://…, esdb://…, or a file downloaded from GET /api/journal (default: DATABASE_URL, or the one of DATA_DIR)',
  )
  .allowExcessArguments(false)
  .showHelpAfterError('(--help says what can be asked)')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .parse()
  .opts<Options>();

await orExitCode2(run);

async function run(): Promise<void> {
  const { account = null, format, from = null, market = null, out, tables = TABLE_NAMES, to = null } = options;
  if (from !== null && to !== null && from >= to) throw new Error('--from is not before --to.');
  if (format === 'journal' && (account !== null || market !== null || options.tables !== undefined)) {
    throw new Error('--format journal takes no --market, --account or --tables: the verifier needs every event.');
  }
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new Error('Interrupted: the incomplete export was removed.'));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const source = await openExportSource(options.journal);
  const progress = showProgress();
  const begunMs = performance.now();
  try {
    const common = {
      fromMs: from,
      journal: source.journal,
      onProgress: (seq: number, target: number) => progress.show('exporting', seq, target),
      out,
      shard: source.shard,
      signal: stopping.signal,
      toMs: to,
    };
    if (format === 'journal') {
      const made = await exportJournalFiles(common);
      progress.clear();
      reportFiles(made, out);
      return;
    }
    const made = await exportJournal({ ...common, accountId: account, format, marketId: market, tables });
    progress.clear();
    report(made, out, performance.now() - begunMs);
  } finally {
    progress.clear();
    await source.release();
  }
}

function report({ tables, through }: Manifest, out: string, tookMs: number): void {
  const seconds = tookMs / 1000;
  const rate = Math.round(through.seq / Math.max(0.001, seconds));
  print(`Exported ${count(through.seq)} events in ${seconds.toFixed(1)} s (${count(rate)} events/s) to ${out}:`);
  for (const { bytes, file, rows } of Object.values(tables)) {
    print(`  ${file}  ${count(rows)} rows, ${(bytes / 1e6).toFixed(1)} MB`);
  }
  print(`  manifest.json  through sequence ${through.seq}, hash ${through.hash}`);
}

/** Prints each file with the command that checks it. */
function reportFiles({ files }: JournalManifest, out: string): void {
  print(`Exported the public journal to ${out}:`);
  for (const { after, bytes, events, file } of files) {
    const start = after.seq === 0 ? '' : ` --after ${after.seq}:${after.hash}`;
    print(`  ${file}  ${count(events)} events, ${(bytes / 1e6).toFixed(1)} MB`);
    print(`    node scripts/verify-journal.mjs ${path.join(out, file)}${start}`);
  }
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function timeOf(text: string): number {
  const { error, success } = utcText.safeParse(text);
  if (success) return Date.parse(text);
  throw new InvalidArgumentError(`It ${error.issues[0]?.message ?? 'is no time'}.`);
}

/** @throws InvalidArgumentError for a name of no table. */
function tablesOf(text: string): readonly TableName[] {
  const names = text.split(',');
  const unknown = names.find((name) => !TABLE_NAMES.includes(name as TableName));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`No table is ${unknown}; these are: ${TABLE_NAMES.join(', ')}.`);
  }
  return TABLE_NAMES.filter((name) => names.includes(name));
}
