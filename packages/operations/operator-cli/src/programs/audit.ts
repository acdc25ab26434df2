import { headToIssue, signHead } from '@paper/auditor';
import { Command, InvalidArgumentError, Option } from 'commander';
import { ConfigError, escapeText, print, printError } from '@paper/runtime';
import { exitCodeOf } from '../exit-code.ts';
import { openAuditSource } from '../audit/audit-source.ts';
import type { AuditSource } from '../audit/audit-source.ts';
import { format, FORMATS } from '../audit/output.ts';
import type { Format } from '../audit/output.ts';
import { signingKey } from '../audit/signing-key.ts';
import { parsePoint, showAccount, showBook, showTimeline } from '../audit/time-travel.ts';
import { verify } from '../audit/verify.ts';

/**
 * `npm run audit` proves a journal, signs its head, and shows any historical state. Exit code 0: no fault, 1: the
 * journal has a fault, 2: the audit was not possible.
 */
const FAULTY = 1;

interface Where {
  readonly journal?: string;
}

const program = new Command('audit')
  .description('Prove the journal, sign where it ends, and see any state of the past.')
  .exitOverride()
  .showHelpAfterError('(--help says what can be asked)');

program
  .command('verify')
  .description(
    'Prove the journal event by event, and that the read models, the display names and the accounts of people are what it gives, row by row.',
  )
  .option('--from <seq>', 'the first event to judge; those before are folded unjudged', sequence, 1)
  .option('--head <file>', 'a head that was issued earlier and must still be contained; can be repeated', collect, [])
  .option(
    '--read-models <url>',
    'the Postgres with the read models, names and people (default: where the journal is, or DATABASE_URL)',
  )
  .option('--no-read-models', 'leave the read models out, as after a restore')
  .option('--no-names', 'leave the display names and the accounts of people out')
  .addOption(journalOption())
  .action(async (options: Where & { from: number; head: string[]; names: boolean; readModels?: string | false }) => {
    const { head: heads, ...compared } = options;
    const source = await openAuditSource(options.journal);
    try {
      if (!(await verify(source, { ...compared, heads }))) process.exitCode = FAULTY;
    } finally {
      await source.release();
    }
  });

program
  .command('head')
  .description('Print where the journal ends: whoever keeps it can prove a later rewrite.')
  .option('--sign', 'sign it with the Ed25519 key of AUDIT_SIGNING_KEY, or of DATA_DIR')
  .addOption(journalOption())
  .action(async (options: Where & { sign?: boolean }) => {
    await withSource(options, async (source) => {
      const head = headToIssue(await source.journal.head(), source.shard, Date.now());
      if (options.sign !== true) {
        print(JSON.stringify(head));
        return;
      }
      const { made, pem } = signingKey();
      if (made !== null) printError(`A new signing key is in ${made}.`);
      print(JSON.stringify(signHead(head, pem)));
    });
  });

for (const [name, argument, what, show] of [
  ['timeline', 'market', 'Every event of a market, and what its book said after each.', showTimeline],
  ['account', 'id', "An account's money, positions and open orders.", showAccount],
  ['book', 'market', "A market's order book.", showBook],
] as const) {
  program
    .command(name)
    .description(what)
    .argument(`<${argument}>`)
    .option('--at <point>', 'as it was after this sequence, or at this time (ISO 8601); default: now')
    .addOption(new Option('--format <name>', 'how to print it').choices(FORMATS).default('table'))
    .addOption(journalOption())
    .action(async (id: string, options: Where & { at?: string; format: Format }) => {
      const point = parsePoint(options.at);
      await withSource(options, async ({ journal }) => {
        process.stdout.write(format(await show(journal, id, point), options.format));
      });
    });
}

function journalOption(): Option {
  return new Option(
    '--journal <place>',
    'postgresql://…, esdb://…, or a file downloaded from GET /api/journal (default: DATABASE_URL, or the one of DATA_DIR)',
  );
}

function sequence(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new InvalidArgumentError('It is a sequence: 1, or a larger whole number.');
  return Number(text);
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Works on a journal that has events. */
async function withSource({ journal }: Where, work: (source: AuditSource) => Promise<void>): Promise<void> {
  const source = await openAuditSource(journal);
  try {
    if (source.missing !== null) throw source.missing;
    await work(source);
  } finally {
    await source.release();
  }
}

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  // Commander has printed its own errors already; --help and --version end with an error too, but are none.
  const { code, exitCode } = error as { readonly code?: unknown; readonly exitCode?: unknown };
  const isCommander = typeof code === 'string' && code.startsWith('commander.');
  const message = error instanceof Error ? error.message : String(error);
  // It may hold texts of the journal, which are of whoever wrote that.
  if (!isCommander) printError(error instanceof ConfigError ? message : escapeText(message));
  process.exitCode = isCommander && exitCode === 0 ? 0 : exitCodeOf(error);
}
