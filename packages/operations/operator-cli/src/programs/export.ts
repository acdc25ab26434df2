import path from 'node:path';
import { utcText } from '@paper/contracts';
import { exportJournal, exportJournalFiles, TABLE_NAMES } from '@paper/exports';
import type { Format, JournalManifest, Manifest, TableName } from '@paper/exports';
import { interruption, report, runCommand, showProgress } from '@paper/commands';
import type { Given } from '@paper/commands';
import { openExportSource } from '../export/export-source.ts';

/** `npm run export` writes tables of the journal, or its public text in files that verify-journal.mjs checks. */
interface Options {
  readonly out: string;
  readonly market?: string;
  readonly account?: string;
  readonly from?: string;
  readonly to?: string;
  readonly format: Format | 'journal';
  readonly tables?: string;
  readonly journal?: string;
  readonly json?: true;
}

await runCommand<Options>('export', run);

async function run({ options }: Given<Options>): Promise<void> {
  const { account = null, format, market = null, out } = options;
  const [from, to, tables] = [timeOf('from', options), timeOf('to', options), tablesOf(options.tables)];
  if (from !== null && to !== null && from >= to) throw new Error('--from is not before --to.');
  if (format === 'journal' && (account !== null || market !== null || options.tables !== undefined)) {
    throw new Error('--format journal takes no --market, --account or --tables: the verifier needs every event.');
  }
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
      signal: interruption(),
      toMs: to,
    };
    if (format === 'journal') {
      const made = await exportJournalFiles(common);
      progress.clear();
      reportFiles(made, options);
      return;
    }
    const made = await exportJournal({ ...common, accountId: account, format, marketId: market, tables });
    progress.clear();
    reportTables(made, options, performance.now() - begunMs);
  } finally {
    progress.clear();
    await source.release();
  }
}

function reportTables(manifest: Manifest, options: Options, tookMs: number): void {
  const { tables, through } = manifest;
  const seconds = tookMs / 1000;
  const rate = Math.round(through.seq / Math.max(0.001, seconds));
  report(
    options,
    manifest,
    `Exported ${count(through.seq)} events in ${seconds.toFixed(1)} s (${count(rate)} events/s) to ${options.out}:`,
    ...Object.values(tables).map(
      ({ bytes, file, rows }) => `  ${file}  ${count(rows)} rows, ${(bytes / 1e6).toFixed(1)} MB`,
    ),
    `  manifest.json  through sequence ${through.seq}, hash ${through.hash}`,
  );
}

function reportFiles(manifest: JournalManifest, options: Options): void {
  const { out } = options;
  const lines = manifest.files.flatMap(({ after, bytes, events, file }) => {
    const start = after.seq === 0 ? '' : ` --after ${after.seq}:${after.hash}`;
    return [
      `  ${file}  ${count(events)} events, ${(bytes / 1e6).toFixed(1)} MB`,
      `    node scripts/verify-journal.mjs ${path.join(out, file)}${start}`,
    ];
  });
  report(options, manifest, `Exported the public journal to ${out}:`, ...lines);
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function timeOf(option: 'from' | 'to', { [option]: text }: Options): number | null {
  if (text === undefined) return null;
  const { error, success } = utcText.safeParse(text);
  if (success) return Date.parse(text);
  throw new Error(`--${option} ${error.issues[0]?.message ?? 'is no time'}, not "${text}".`);
}

function tablesOf(text: string | undefined): readonly TableName[] {
  if (text === undefined) return TABLE_NAMES;
  const names = text.split(',');
  const unknown = names.find((name) => !TABLE_NAMES.includes(name as TableName));
  if (unknown !== undefined) throw new Error(`--tables: no table is ${unknown}; these are: ${TABLE_NAMES.join(', ')}.`);
  return TABLE_NAMES.filter((name) => names.includes(name));
}
