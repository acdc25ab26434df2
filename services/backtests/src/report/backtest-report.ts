import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BacktestReportBody, TapeBody } from '@paper/contracts/backtests';
import type { JournalLineBody } from '@paper/contracts/journal';
import { iso, parseUnits } from '@paper/contracts/units';
import { decodePublicEvent } from '@paper/journal';
import type { PublicEvent } from '@paper/exchange/events';
import { splitLines } from '@paper/tapes';
import { JOURNAL_FILE, RECORD_FILE } from '../protocol.ts';
import type { BacktestRecord } from '../protocol.ts';
import { Baselines } from './baselines.ts';
import { MarketsFold } from './market-fold.ts';
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
  const fold = new ReportFold(record);
  for await (const lines of splitLines(createReadStream(path.join(folder, JOURNAL_FILE)))) {
    for (const line of lines) fold.add(line);
  }
  fold.endOfMoment();
  const { fee, from, startingBalance, to, ...settings } = record.settings;
  const tape = record.tape as TapeBody;
  return {
    id: record.id,
    partial,
    reproducible: record.leftOut.length === 0,
    tape,
    queue: QUEUE,
    settings: { ...settings, fee, from: isoOrNull(from), startingBalance, to: isoOrNull(to) },
    build: record.build,
    rulesVersion: record.rulesVersion,
    journal: fold.head,
    leftOut: [...record.leftOut],
    fees: toMillionths(fold.participants.reduce((sum, figures) => sum + figures.fees(fee), 0)),
    notModelled: notModelled(record, tape.synthetic),
    baselines: fold.baselines.report(parseUnits(startingBalance) ?? 0, fold.markets),
    participants: fold.participants.map((figures) => figures.report(fee)),
  };
}

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

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

class ReportFold {
  readonly markets = new MarketsFold();
  readonly baselines = new Baselines();
  readonly participants: readonly ParticipantFigures[];
  head = { seq: 0, hash: '0'.repeat(64) };
  #decision: { readonly event: PublicEvent; readonly seq: number }[] = [];
  #left = 0;
  #last: { readonly atMs: number; readonly seq: number } | null = null;

  constructor({ participants, subAccounts }: Pick<BacktestRecord, 'participants' | 'subAccounts'>) {
    this.participants = participants.map((id, turn) => new ParticipantFigures(id, subAccounts[turn] ?? []));
  }

  add(line: string | null): void {
    const stored = parse(line);
    if (stored === null) return;
    const { decisionEvents, event, seq } = decodePublicEvent({ ...stored, privateText: null });
    this.head = { seq, hash: stored.hash };
    this.#left = (decisionEvents ?? this.#left) - 1;
    this.#decision.push({ event, seq });
    if (this.#left > 0) return;
    const decision = this.#decision;
    this.#decision = [];
    if (this.#last !== null && this.#last.atMs !== event.at) this.endOfMoment();
    this.#decide(decision);
    this.#last = { atMs: event.at, seq };
  }

  endOfMoment(): void {
    if (this.#last === null) return;
    // The tape has not begun before there are markets.
    if (this.markets.all.size > 0) this.baselines.buy(this.markets);
    for (const figures of this.participants) figures.endOfMoment(this.#last.atMs, this.#last.seq, this.markets);
  }

  #decide(decision: readonly { readonly event: PublicEvent; readonly seq: number }[]): void {
    const before = new Map<string, Omit<BeforeFill, 'queueWaitMs'>>();
    for (const { event, seq } of decision) {
      if (event.type !== 'OrderFilled') continue;
      const figures = this.participants.filter((one) => one.has(event.makerAccountId) || one.has(event.takerAccountId));
      if (figures.length === 0) continue;
      const market = this.markets.market(event.marketId);
      const shared = before.get(event.marketId) ?? { book: market.bestLevels(), midHalfUnits: market.midHalfUnits };
      before.set(event.marketId, shared);
      const sinceMs = this.markets.restsSince(event.makerOrderId);
      const queueWaitMs = sinceMs === null ? null : event.at - sinceMs;
      for (const one of figures) one.filled(event, seq, { ...shared, queueWaitMs });
    }
    for (const { event, seq } of decision) {
      this.markets.apply(event);
      for (const figures of this.participants) figures.apply(event, seq);
    }
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
