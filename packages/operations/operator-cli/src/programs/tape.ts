import { report, runCommand, showWhile } from '@paper/commands';
import type { Given } from '@paper/commands';
import { escapeLines, escapeText, printError } from '@paper/runtime';
import { openTape, skipText, TapeRefused } from '@paper/tapes';
import type { Tape } from '@paper/tapes';

/** `npm run tape -- FILE…` prints what tapes contain. Exit code 1: a tape is refused; 2: a file does not exist. */
const MARKETS_SHOWN = 10;

await runCommand('tape', run);

async function run({ args, options }: Given<{ readonly json?: true }>): Promise<boolean> {
  const tapes: Tape[] = [];
  const refused: { readonly tape: string; readonly reason: string }[] = [];
  for (const place of args.map(String)) {
    try {
      const tape = await showWhile(`Reading ${place}`, () => openTape(place));
      tapes.push(tape);
      report({}, '', ...(options.json === true ? [] : linesOf(tape)));
    } catch (error) {
      if (!(error instanceof TapeRefused)) throw error;
      refused.push({ tape: place, reason: error.message });
      printError(escapeText(error.message));
    }
  }
  const facts = { tapes: tapes.map(({ lines, summary, trades }) => ({ ...summary, lines, trades })), refused };
  if (options.json === true) report(options, facts);
  return refused.length === 0;
}

function linesOf({ lines, summary, trades }: Tape): readonly string[] {
  const line = (label: string, text: string): string => escapeLines(`  ${label.padEnd(9)}${text}`);
  const { events, format, from, id, markets, sha256, skipped, synthetic, to } = summary;
  return [
    escapeLines(`${id} (${format}${synthetic ? ', synthetic' : ''})`),
    ...markets.slice(0, MARKETS_SHOWN).map((market) => line('market', marketText(market))),
    ...(markets.length > MARKETS_SHOWN ? [line('', `and ${markets.length - MARKETS_SHOWN} more markets`)] : []),
    line('from', from),
    line('to', to),
    line('events', `${events}, of ${lines.read} lines; ${lines.other} lines are about something else`),
    line('trades', tradesText(trades)),
    line('sha256', sha256),
    ...(skipped.length === 0 ? [line('skipped', 'nothing')] : skipped.map((skip) => line('skipped', skipText(skip)))),
    '',
  ];
}

function marketText({ closesAt, id, prior, tickSize, title }: Tape['summary']['markets'][number]): string {
  return `${id}${title === id ? '' : ` “${title}”`}, tick ${tickSize}, prior ${prior}, closes at ${closesAt}`;
}

function tradesText({ alone, inferred, joined, noSide }: Tape['trades']): string {
  const sides = inferred + noSide === 0 ? '' : `; side inferred of ${inferred}, unknown of ${noSide}`;
  return `${joined} with the decrease of their level, ${alone} alone${sides}`;
}
