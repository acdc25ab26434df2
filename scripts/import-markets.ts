import type { MarketBody } from '@paper/contracts';
import { planImport } from './forecastbench.ts';
import { planOfFile } from './input-file.ts';
import { listedAlready } from './listed-already.ts';
import { countLines, operatorProgram, runOperatorCommand, runShown, sum, tallyMarkets } from './operator-command.ts';

const program = operatorProgram('import-markets', 'List the markets of a question set.').option(
  '--keep-open',
  'list markets active whose closing time has passed (default: closed)',
);

/** `npm run import-markets -- --format forecastbench FILE` lists the binary market questions of a question set. */
await runOperatorCommand(program, ['forecastbench'], async (file, client, baseUrl) => {
  const keepOpen = program.opts<{ readonly keepOpen?: true }>().keepOpen === true;
  const plan = await planOfFile(file, (text) => planImport(text, { keepOpen, now: Date.now() }));
  const before = byId(await client.markets());
  const missing = plan.commands.filter((command) => !before.has(command.id ?? ''));
  const results = await runShown(client, missing);

  const ids = missing.map((command) => command.id);
  const { changed: listed, unchanged, kept, failures } = tallyMarkets(ids, results, 'idempotency_conflict');
  // Those that another import listed meanwhile, by another version or with other options, are looked at as they stand.
  const standing = kept === 0 ? before : byId(await client.markets());
  const refused = new Set(ids.filter((_id, index) => isConflict(results[index])));
  const already = listedAlready(
    plan.commands.filter(({ id = '' }) => before.has(id) || refused.has(id)),
    standing,
  );
  const failed = sum(failures);
  const lines = [
    `${file} into ${baseUrl}: ${plan.questions} questions, of which`,
    ...countLines('listed', listed, plan.closed > 0 && listed > 0 ? 'closed where their closing time has passed' : ''),
    ...countLines('unchanged', unchanged + already.same, 'listed already, with the same text', already.otherwise),
    ...countLines('kept', already.otherText, 'listed already, with other text'),
    ...countLines('skipped', sum(plan.skipped), '', plan.skipped),
    ...countLines('failed', failed, '', failures),
    ...(plan.adjusted === 0 ? [] : ['', 'What had to be adjusted in these markets:']),
    ...(plan.adjusted === 0 ? [] : countLines('markets', plan.adjusted, '', plan.adjustments)),
    ...(plan.closed === 0
      ? []
      : ['', `${plan.closed} of these markets had closed before today (--keep-open lists such markets active).`]),
    '',
    listed === 0 && failed === 0 ? 'Nothing changed.' : nextSteps(file, baseUrl),
  ];
  console.log(lines.join('\n'));
  return { failed };
});

function byId(markets: readonly MarketBody[]): ReadonlyMap<string, MarketBody> {
  return new Map(markets.map((market) => [market.id, market]));
}

function isConflict(result: { readonly ok: boolean; readonly code?: string } | undefined): boolean {
  return result?.ok === false && result.code === 'idempotency_conflict';
}

function nextSteps(file: string, baseUrl: string): string {
  return [
    'Next:',
    `  see them              ${baseUrl}/ or curl -s '${baseUrl}/api/markets?limit=3'`,
    `  record their signals  npm run import-signals -- --format forecastbench ${file}`,
    '  settle them           npm run resolve-markets -- --format forecastbench RESOLUTION_SET',
  ].join('\n');
}
