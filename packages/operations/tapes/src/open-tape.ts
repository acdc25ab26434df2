import type { TapeBody } from '@paper/contracts/backtests';
import { dollars, iso } from '@paper/contracts/units';
import { PRICE_UNITS_MAX, PRICE_UNITS_MIN } from '@paper/exchange';
import { FORMATS } from './formats/index.ts';
import { MADE_NEWS, madeNews } from './made-news.ts';
import type { TradeCounts } from './market-book.ts';
import { TapeReader } from './read-tape.ts';
import type { LineCounts, TapeMarket } from './read-tape.ts';
import { skipText, TapeRefused } from './skips.ts';
import type { Skip } from './skips.ts';
import type { TapeEvent } from './tape-event.ts';
import { openTapeFiles } from './tape-files.ts';

/** The closing time of a market whose tape names none: the end of the tape would reveal the future. */
const CLOSES_AT_MS = Date.UTC(2099, 0, 1);

/** A tape's content, without outcomes. */
export interface TapeSummary extends TapeBody {
  readonly skipped: Skip[];
}

export interface Tape {
  readonly summary: TapeSummary;
  readonly trades: Readonly<TradeCounts>;
  readonly lines: Readonly<LineCounts>;
  events(): AsyncGenerator<TapeEvent>;
}

/**
 * Reads a tape once, to summarize it.
 * @param place a file, a folder, or `made-news`, generated from the seed, if nothing has that name
 * @throws TapeRefused with a sentence about the reason; Error when there is no such file or folder
 */
export async function openTape(place: string, seed = 1): Promise<Tape> {
  const source = place === MADE_NEWS ? madeNews(seed) : await openTapeFiles(place);
  const first = new TapeReader(source);
  let [from, to, events]: [number, number, number] = [0, 0, 0];
  for await (const { atMs } of first.events()) {
    if (events === 0) from = atMs;
    to = atMs;
    events += 1;
  }
  const { format, lines, markets, trades } = first;
  const skipped = first.skips.list();
  const refuse = (why: string): never => {
    const which = skipped.length === 0 ? '' : `: ${skipped.map(skipText).join('; ')}`;
    throw new TapeRefused(`${source.id} is refused: ${why}${which}.`);
  };
  if (format === null && lines.read > 0) {
    return refuse(`none of its lines is of a known format (${FORMATS.map(({ title }) => title).join(', ')})`);
  }
  if (format === null || events === 0) return refuse('it has no event');
  if (10 * lines.skipped > lines.read) {
    return refuse(`${lines.skipped} of its ${lines.read} lines were skipped, more than one in ten`);
  }
  const ticks = new Map([...markets].map(([id, market]) => [id, tickOf(market)]));
  const summary: TapeSummary = {
    id: source.id,
    format: source.made === true ? 'made' : format.name,
    markets: [...markets].map(([id, market]) => summaryOf(id, market)),
    from: iso(from),
    to: iso(to),
    events,
    ...source.identity(),
    synthetic: source.made === true || format.synthetic,
    skipped,
  };
  return { summary, trades, lines, events: () => new TapeReader(source, (id) => ticks.get(id) ?? 100).events() };
}

const tickOf = ({ described, listed, tickUnits }: TapeMarket): number =>
  described?.tickUnits ?? listed.tickUnits ?? tickUnits;

function summaryOf(id: string, market: TapeMarket): TapeSummary['markets'][number] {
  const { described, firstMidpoint, listed } = market;
  const midpoint = firstMidpoint === null ? 5_000 : Math.floor(firstMidpoint / 2);
  const prior = described?.priorUnits ?? listed.priorUnits ?? midpoint;
  return {
    id,
    title: described?.title ?? listed.title ?? id,
    closesAt: iso(described?.closesAtMs ?? listed.closesAtMs ?? CLOSES_AT_MS),
    tickSize: dollars(tickOf(market)),
    prior: dollars(Math.min(PRICE_UNITS_MAX, Math.max(PRICE_UNITS_MIN, prior))),
  };
}
