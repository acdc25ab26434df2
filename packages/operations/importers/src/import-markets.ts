import type { MarketBody } from '@paper/contracts/markets';
import { sum } from './counts.ts';
import { planImport } from './forecastbench.ts';
import type { Import, ImportReport } from './import.ts';
import { planOfFile } from './input-file.ts';
import { listedAlready } from './listed-already.ts';
import { countFacts, countLines, tallyMarkets } from './report.ts';
import type { Tallies } from './report.ts';

/**
 * Lists the binary market questions of a question set, except those that are listed already.
 * @param nowMs the present time in ms since 1970 UTC
 * @throws Error that begins with the file's name, when it cannot be read or is not a question set.
 */
export async function importMarkets(
  { baseUrl, file, onFault, run }: Import,
  markets: () => Promise<readonly MarketBody[]>,
  nowMs: number,
): Promise<ImportReport> {
  const plan = await planOfFile(file, (text) => planImport(text, nowMs));
  const before = byId(await markets());
  const missing = plan.commands.filter((command) => !before.has(command.id ?? ''));
  const results = await run(missing);

  const ids = missing.map((command) => command.id);
  const tally = tallyMarkets(ids, results, 'idempotency_conflict', onFault);
  const { changed: listed, unchanged, kept, failures } = tally;
  // Another import may have listed markets meanwhile.
  const standing = kept === 0 ? before : byId(await markets());
  const refused = new Set(ids.filter((_id, index) => isConflict(results[index])));
  const already = listedAlready(
    plan.commands.filter(({ id = '' }) => before.has(id) || refused.has(id)),
    standing,
  );
  const failed = sum(failures);
  const tallies: Tallies = {
    listed: [listed, plan.closed > 0 && listed > 0 ? 'closed where their closing time has passed' : ''],
    unchanged: [unchanged + already.same, 'listed already, with the same text', already.otherwise],
    kept: [already.otherText, 'listed already, with other text'],
    adjusted: [plan.adjusted, 'of these markets', plan.adjustments],
    skipped: [sum(plan.skipped), '', plan.skipped],
    failed: [failed, '', failures],
  };
  const lines = [
    `${file} into ${baseUrl}: ${plan.questions} questions, of which`,
    ...countLines(tallies),
    ...(plan.closed === 0
      ? []
      : ['', `The closing time of ${plan.closed} of these markets has passed: they are closed.`]),
    '',
    listed === 0 && failed === 0 ? 'Nothing changed.' : nextSteps(file, baseUrl),
  ];
  const facts = { questions: plan.questions, closed: plan.closed, ...countFacts(tallies) };
  return { failed, facts, text: lines.join('\n') };
}

const byId = (markets: readonly MarketBody[]): ReadonlyMap<string, MarketBody> =>
  new Map(markets.map((market) => [market.id, market]));

const isConflict = (result: { readonly ok: boolean; readonly code?: string } | undefined): boolean =>
  result?.ok === false && result.code === 'idempotency_conflict';

function nextSteps(file: string, baseUrl: string): string {
  return [
    'Next:',
    `  see them              ${baseUrl}/ or curl -s '${baseUrl}/api/markets?limit=3'`,
    `  record their signals  npm run import-signals -- --format forecastbench ${file}`,
    '  settle them           npm run resolve-markets -- --format forecastbench RESOLUTION_SET',
  ].join('\n');
}
