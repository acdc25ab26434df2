import { readFileSync } from 'node:fs';
import { EmptyJournal, parseHead, verifyJournal } from '@paper/auditor';
import type { AuditVerdict, SignedHead, UnsignedHead } from '@paper/auditor';
import { report, showProgress } from '@paper/commands';
import { escapeText } from '@paper/runtime';
import type { AuditSource } from './audit-source.ts';

export interface VerifyOptions {
  readonly journal?: string;
  readonly json?: true;
  readonly from: number;
  readonly head?: readonly string[];
  readonly noNames?: true;
  readonly noReadModels?: true;
  readonly readModels?: string;
}

const count = (value: number): string => value.toLocaleString('en-US');

/**
 * Judges the journal, prints the verdict, and returns whether there is no fault.
 * @throws EmptyJournal for an empty journal, if neither a head nor read models show that it had events.
 */
export async function verify(source: AuditSource, options: VerifyOptions): Promise<boolean> {
  const { from, head: heads = [], noNames = false, noReadModels = false } = options;
  const issued = heads.map(readHead);
  const databaseUrl = options.readModels ?? source.readModelsUrl;
  const progress = showProgress();
  const startedMs = performance.now();
  let verdict: AuditVerdict;
  try {
    progress.show('auditing', from - 1, 0);
    verdict = await verifyJournal({
      fromSeq: from,
      heads: issued,
      journal: source.journal,
      onProgress: (seq, end) => progress.show('auditing', seq, end),
      namesUrl: noNames ? null : (databaseUrl ?? null),
      readModelsUrl: noReadModels ? undefined : databaseUrl,
      shard: source.shard,
    });
  } finally {
    progress.clear();
  }
  if (verdict.fault === null && verdict.end.seq === 0) {
    throw (
      source.missing ??
      new EmptyJournal(`The journal of shard ${source.shard} has no events: there is nothing to prove.`)
    );
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const where = databaseUrl === undefined ? 'a file has none; --read-models names them' : null;
  const nowhere = databaseUrl === null ? 'no database is named that has them' : where;
  const leftOut = {
    readModels: noReadModels ? '--no-read-models' : where,
    names: noNames ? '--no-names' : nowhere,
  };
  const run: Run = { leftOut, from, heads: issued, seconds, shard: source.shard };
  report(options, { ...verdict, notCompared: notCompared(verdict, run) }, ...linesOf(verdict, run).map(escapeText));
  return verdict.fault === null;
}

function readHead(file: string): SignedHead | UnsignedHead {
  try {
    return parseHead(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} holds no head as "audit head" prints it: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
}

interface Run {
  /** The reasons why the read models or the names were not compared; null if they were. */
  readonly leftOut: { readonly readModels: string | null; readonly names: string | null };
  readonly from: number;
  readonly heads: readonly (SignedHead | UnsignedHead)[];
  readonly seconds: number;
  readonly shard: string;
}

/** The last line names what was not compared. */
function linesOf(verdict: AuditVerdict, run: Run): string[] {
  const { end, fault, identity, names, proven, readModels, unprovenSelfTrades, withheld } = verdict;
  const { from, heads, seconds, shard } = run;
  const rate = Math.round(proven.seq / Math.max(0.001, seconds));
  const since = from > 1 ? `, judged from ${count(from)} on` : '';
  const lines = [
    `Journal ${shard}: ${count(proven.seq)} of ${count(end.seq)} events${since}, in ${seconds.toFixed(1)} s (${count(rate)} events/s).`,
  ];
  if (withheld) {
    lines.push('Decided again: no, since who sent the commands is withheld from this journal.');
    lines.push(
      `Not provable from the public part: ${count(unprovenSelfTrades)} ends of orders as self-trades, since who owns which account is withheld.`,
    );
  }
  if (readModels === null) {
    lines.push('Read models: not compared.');
  } else {
    lines.push(
      `Read models ${readModels.schema} at sequence ${count(readModels.seq)}: ${count(readModels.rows)} rows compared.`,
    );
    if (readModels.unknownColumns.length > 0) {
      lines.push(`Columns that this auditor does not know: ${readModels.unknownColumns.join(', ')}.`);
    }
  }
  lines.push(`Display names: ${names === null ? 'not compared' : `of ${count(names.accounts)} accounts compared`}.`);
  if (identity !== null && identity.rows > 0) {
    lines.push(`Identity: ${count(identity.rows)} rows that name accounts compared.`);
  }
  const left = notCompared(verdict, run);
  if (fault === null) {
    for (const head of heads) {
      lines.push(`Head of ${count(head.seq)}, issued ${head.at}${signer(head)}: in the journal.`);
    }
    const all = withheld
      ? 'everything that can be seen'
      : left.length > 0
        ? 'everything that was judged'
        : 'everything';
    lines.push(`VERDICT: ${all} holds. The journal ends at ${proven.seq} with ${proven.hash}.${sentence(left)}`);
    return lines;
  }
  const event = fault.event === null ? '' : `, ${fault.event.type} ${fault.event.id}`;
  lines.push(
    `VERDICT: FAULT (${fault.check})`,
    `  at     sequence ${fault.seq}${event}`,
    `  found  ${fault.found}`,
    `  right  ${fault.expected}`,
  );
  if (left.length > 0) lines.push(sentence(left).trimStart());
  return lines;
}

function notCompared(
  { fault, identity, names, readModels, withheld }: AuditVerdict,
  { from, leftOut }: Run,
): readonly string[] {
  const left: string[] = [];
  if (from > 1) left.push(`texts and hashes of the first ${count(from - 1)} events (--from)`);
  if (withheld) left.push('the decisions (who sent the commands is withheld)');
  const early = 'a fault came first';
  const missed: [what: string, reason: string][] = [];
  if (readModels === null && (leftOut.readModels !== null || fault?.check !== 'read models')) {
    missed.push(['the read models', leftOut.readModels ?? early]);
  }
  if (names === null) missed.push(['the display names and identity', leftOut.names ?? early]);
  const [first, second] = missed;
  if (first !== undefined && first[1] === second?.[1]) left.push(`${first[0]}, ${second[0]} (${first[1]})`);
  else left.push(...missed.map(([what, reason]) => `${what} (${reason})`));
  const unread = identity?.unread ?? [];
  if (unread.length > 0) left.push(`${unread.join(', ')} (this role may not read them)`);
  return left;
}

const sentence = (left: readonly string[]): string => (left.length === 0 ? '' : ` Not compared: ${left.join('; ')}.`);

const signer = (head: SignedHead | UnsignedHead): string =>
  'publicKey' in head ? ` and signed by ${head.publicKey}` : ', not signed';
