import { unsignedHead, signHead } from '@paper/auditor';
import { runCommand } from '@paper/commands';
import type { Work } from '@paper/commands';
import { isDamagedPage, JournalDamaged } from '@paper/journal';
import { ConfigError, escapeText, print, printError } from '@paper/runtime';
import { openAuditSource } from '../audit/audit-source.ts';
import type { AuditSource } from '../audit/audit-source.ts';
import { format } from '../audit/output.ts';
import type { Format } from '../audit/output.ts';
import { signingKey } from '../audit/signing-key.ts';
import { parsePoint, showAccount, showBook, showTimeline } from '../audit/time-travel.ts';
import type { View } from '../audit/time-travel.ts';
import { verify } from '../audit/verify.ts';
import type { VerifyOptions } from '../audit/verify.ts';

/** `npm run audit` proves a journal, and shows any historical state. Exit code 1: a fault; 2: no audit was possible. */
interface Where {
  readonly journal?: string;
}

interface ViewOptions extends Where {
  readonly at?: string;
  readonly format: Format;
}

const verifyAll: Work<VerifyOptions> = async ({ options }) => {
  try {
    const source = await openAuditSource(options.journal);
    try {
      return await verify(source, options);
    } finally {
      await source.release();
    }
  } catch (error) {
    // A page that Postgres cannot read counts as a fault of the journal, whichever table it belongs to.
    if (!(error instanceof JournalDamaged || isDamagedPage(error))) throw error;
    printError(error);
    return false;
  }
};

const printHead: Work<Where & { readonly sign?: true }> = ({ options }) =>
  withSource(options, async (source) => {
    const head = unsignedHead(await source.journal.head(), source.shard, Date.now());
    if (options.sign !== true) {
      print(JSON.stringify(head));
      return;
    }
    const { made, pem } = signingKey();
    if (made !== null) printError(`A new signing key is in ${made}.`);
    print(JSON.stringify(signHead(head, pem)));
  });

const printView =
  (show: View): Work<ViewOptions> =>
  async ({ args: [id = ''], options }) => {
    const point = parsePoint(options.at);
    await withSource(options, async ({ journal }) => {
      const shown = await show(journal, String(id), point);
      process.stdout.write(format(shown, options.json === true ? 'json' : options.format));
    });
  };

/** Escapes the message of an error, which may quote the journal's untrusted texts. */
const escaped =
  <O>(work: Work<O>): Work<O> =>
  (given) =>
    work(given).catch((error: unknown) => {
      if (error instanceof ConfigError) throw error;
      throw new Error(escapeText(error instanceof Error ? error.message : String(error)), { cause: error });
    });

await runCommand<VerifyOptions & ViewOptions & { readonly sign?: true }>('audit', {
  verify: escaped(verifyAll),
  head: escaped(printHead),
  timeline: escaped(printView(showTimeline)),
  account: escaped(printView(showAccount)),
  book: escaped(printView(showBook)),
});

/** Runs the work on the journal, and closes it. @throws Error with the reason if there is no journal. */
async function withSource({ journal }: Where, work: (source: AuditSource) => Promise<void>): Promise<void> {
  const source = await openAuditSource(journal);
  try {
    if (source.missing !== null) throw source.missing;
    await work(source);
  } finally {
    await source.release();
  }
}
