import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BacktestReportBody } from '@paper/contracts/backtests';
import type { JournalLineBody } from '@paper/contracts/journal';
import type { LevelView } from '@paper/contracts/markets';
import { dollars, parseUnits } from '@paper/contracts/units';
import { decodePublicEvent } from '@paper/journal';
import type { PublicCommandlessEvent } from '@paper/journal';
import { LiveBooks } from '@paper/read-models';
import { splitLines } from '@paper/tapes';
import { JOURNAL_FILE, RECORD_FILE } from '../protocol.ts';
import type { BacktestRecord } from '../protocol.ts';
import { Baselines } from './baselines.ts';
import { ParticipantFigures } from './participant-figures.ts';
import type { BeforeFill } from './participant-figures.ts';
import { toMillionths } from './ratio.ts';

const QUEUE = 'pessimistic: what the tape withdraws was last in the queue, what it adds is behind your orders';

/**
 * The report of a backtest, from its two files. Prices, books and the middle before a fill are those before its
 * decision. Throws Error when a file is missing, or does not belong to a backtest.
 */
export async function createBacktestReport(
  folder: string,
  { partial }: { readonly partial: boolean },
): Promise<BacktestReportBody> {
  const record = JSON.parse(await readFile(path.join(folder, RECORD_FILE), 'utf8')) as BacktestRecord;
  const { settings, tape } = record;
  const fold = new ReportFold(record);
  for await (const lines of splitLines(createReadStream(path.join(folder, JOURNAL_FILE)))) {
    for (const line of lines) fold.add(line);
  }
  fold.endOfMoment();
  return {
    id: record.id,
    partial,
    reproducible: record.leftOut.length === 0,
    tape,
    queue: QUEUE,
    settings,
    build: record.build,
    rulesVersion: record.rulesVersion,
    journal: fold.head,
    leftOut: record.leftOut,
    fees: toMillionths(fold.participants.reduce((sum, figures) => sum + figures.fees(settings.fee), 0)),
    notModelled: notModelled(record, tape.synthetic),
    baselines: fold.baselines.report(parseUnits(settings.startingBalance) ?? 0, fold.books),
    participants: fold.participants.map((figures) => figures.report(settings.fee)),
  };
}

function notModelled({ settings, trades, unfunded }: BacktestRecord, isSynthetic: boolean): string[] {
  const { alone, inferred, joined, noSide } = trades;
  return [
    'Who cancelled ahead of you: of recorded shares that go, the last in the queue go first.',
    'How others would have reacted to your orders: they do as recorded, whatever you do.',
    'Orders that the recording does not show, such as hidden ones.',
    'A trade and the decrease of its level are one, at the place of the first: the reader looks ahead for the other part, by 1,000 messages and 2 s at most.',
    `Trades: ${joined} came with their level, ${alone} without; the taker of ${inferred} was inferred, and ${noSide} had none, so that only their level moved.`,
    `Fees of the venue: the report counts ${settings.fee} × p × (1 − p) a share as taker, and nobody is charged.`,
    ...(unfunded > 0 ? [`${unfunded} recorded shares, for which the accounts that play the tape had no money.`] : []),
    ...(isSynthetic ? ['The book: all or part of this tape is invented, so that fills say little of the venue.'] : []),
  ];
}

const LEVELS = 10;

class ReportFold {
  readonly books = new LiveBooks(0);
  readonly baselines = new Baselines();
  readonly participants: readonly ParticipantFigures[];
  head = { seq: 0, hash: '0'.repeat(64) };
  readonly #marketIds: readonly string[];
  readonly #decision: PublicCommandlessEvent[] = [];
  #left = 0;
  #last: { readonly atMs: number; readonly seq: number } | null = null;

  constructor({ participants, subAccounts, tape }: BacktestRecord) {
    this.participants = participants.map((id, turn) => new ParticipantFigures(id, subAccounts[turn] ?? []));
    this.#marketIds = tape.markets.map(({ id }) => id);
  }

  add(line: string | null): void {
    const stored = parse(line);
    if (stored === null) return;
    const added = decodePublicEvent({ ...stored, privateText: null });
    const { decisionEvents, event, seq } = added;
    this.head = { seq, hash: stored.hash };
    this.#left = (decisionEvents ?? this.#left) - 1;
    this.#decision.push(added);
    if (this.#left > 0) return;
    if (this.#last !== null && this.#last.atMs !== event.at) this.endOfMoment();
    this.#decide(this.#decision.splice(0));
    this.#last = { atMs: event.at, seq };
  }

  endOfMoment(): void {
    if (this.#last === null) return;
    this.baselines.buy(this.#marketIds, this.books);
    for (const figures of this.participants) figures.endOfMoment(this.#last.atMs, this.#last.seq, this.books);
  }

  #decide(decision: readonly PublicCommandlessEvent[]): void {
    for (const { event, seq } of decision) {
      for (const figures of this.participants) figures.apply(event, seq, (marketId) => this.#before(marketId));
    }
    for (const one of decision) this.books.apply(one);
  }

  #before(marketId: string): BeforeFill {
    const { asks = [], bids = [] } = this.books.view(marketId) ?? {};
    const best = (levels: readonly LevelView[]) =>
      levels.slice(0, LEVELS).map(({ priceUnits, quantity }) => ({ price: dollars(priceUnits), quantity }));
    const [ask, bid] = [asks[0]?.priceUnits, bids[0]?.priceUnits];
    const midHalfUnits = ask === undefined || bid === undefined ? null : ask + bid;
    return { book: { bids: best(bids), asks: best(asks) }, midHalfUnits };
  }
}

function parse(line: string | null): JournalLineBody | null {
  if (line === null || line === '') return null;
  try {
    return JSON.parse(line) as JournalLineBody;
  } catch {
    return null;
  }
}
