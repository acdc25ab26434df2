import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BacktestReport } from '@paper/contracts/backtests';
import { expect } from 'chai';
import { decodePublicEvent } from '@paper/journal';
import { LiveBooks } from '@paper/read-models';
import { Baselines } from '../../src/report/baselines.ts';
import { ratio } from '../../src/report/ratio.ts';
import { createBacktestReport } from '../../src/report/backtest-report.ts';
import { JOURNAL_FILE, RECORD_FILE } from '../../src/protocol.ts';
import type { BacktestRecord } from '../../src/protocol.ts';
import { ask, bid, levels, order, outcome, playEvents, SETTINGS, START_MS, trade } from '../play/played-tape.ts';

let folder = '';
before(async () => (folder = await mkdtemp(path.join(tmpdir(), 'paper-report-'))));
after(() => rm(folder, { recursive: true }));

const at = (ms: number): string => new Date(START_MS + ms).toISOString();

describe('the report of a backtest', () => {
  it('has what a participant paid, earned and waited, by hand', async () => {
    const { exchange, houses, move, participants, summary } = await playEvents([
      levels(0, [bid(4_000, 100)], [ask(5_000, 100)]),
    ]);
    const [ann] = participants;
    if (ann === undefined) throw new Error('nobody takes part');
    await order(exchange, ann, 'yes', 5_000, 10, 'IOC');
    await move([], 1_000);
    await order(exchange, ann, 'yes', 4_500, 20, 'GTC');
    // It meets ann's bid first, which is better than the tape's.
    await move([trade(5_000, 'no', 4_000, 50, 50)]);
    await move([outcome(10_000, 'yes')]);

    const lines = exchange.journal.map(({ hash, id, publicText, seq, type }) =>
      JSON.stringify({ hash, id, privateDigest: '', publicText, seq, type }),
    );
    const record: BacktestRecord = {
      build: 'rules 1',
      end: null,
      houses,
      id: 'a backtest',
      leftOut: [],
      participants: [ann.accountId],
      subAccounts: [[]],
      rulesVersion: 1,
      settings: { ...SETTINGS, fee: 0.07 },
      tape: summary,
      trades: { alone: 0, inferred: 0, joined: 1, noSide: 0 },
      unfunded: 0,
    };
    // A kill has cut off the last line.
    await writeFile(path.join(folder, JOURNAL_FILE), `${lines.join('\n')}\n{"hash":"c`);
    await writeFile(path.join(folder, RECORD_FILE), JSON.stringify(record));
    const report = await createBacktestReport(folder, { partial: true });
    const last = exchange.journal.at(-1);
    expect(report.journal).to.deep.equal({ hash: last?.hash, seq: last?.seq });
    expect(report).to.include({ id: 'a backtest', partial: true, reproducible: true, fees: 0.175 });
    expect(BacktestReport.parse(report)).to.deep.equal(report);
    expect(report.baselines).to.deep.equal([
      { name: 'nothing', pnl: 0 },
      // At 0.50 and 0.60 a share.
      { name: 'hold_yes', pnl: 10_000 },
      { name: 'hold_no', pnl: -9_999.6 },
    ]);
    const [figures] = report.participants;
    expect(figures).to.include({
      fees: 0.175,
      makerShare: 0.642_857,
      pnl: 16,
      return: 0.0016,
      turnover: 14,
    });
    expect(figures?.spreadPaid).to.deep.equal({ amount: 0.5, coverage: 0.357_143 });
    expect(figures?.equity.map(({ at: time, equity }) => [time, equity])).to.deep.equal([
      [at(0), 10_000],
      [at(0), 9_999.5],
      [at(1_000), 9_999.75],
      [at(5_000), 9_999.5],
      [at(10_000), 10_016],
    ]);
    const [opened, bought] = figures?.equity ?? [];
    expect(figures?.maxDrawdown).to.deep.equal({ amount: 0.5, fromSeq: opened?.seq, toSeq: bought?.seq });
    expect(
      figures?.fills.map(({ book, price, quantity, queueWaitMs, role }) => [role, price, quantity, queueWaitMs, book]),
    ).to.deep.equal([
      ['taker', 0.5, 10, null, { asks: [{ price: 0.5, quantity: 100 }], bids: [{ price: 0.4, quantity: 100 }] }],
      [
        'maker',
        0.45,
        20,
        4_000,
        {
          asks: [{ price: 0.5, quantity: 90 }],
          bids: [
            { price: 0.45, quantity: 20 },
            { price: 0.4, quantity: 100 },
          ],
        },
      ],
    ]);
  });

  it('holds nothing of a market that has settled before the first moment ends', async () => {
    const { exchange, move } = await playEvents([levels(0, [bid(4_000, 100)], [ask(5_000, 100)])]);
    await move([outcome(0, 'no')]);
    const books = new LiveBooks(0);
    for (const stored of exchange.journal) books.apply(decodePublicEvent({ ...stored, privateText: null }));
    const baselines = new Baselines();
    const markets = exchange.journal.flatMap(({ publicText }) => {
      const { event } = JSON.parse(publicText) as { event: { type: string; marketId: string } };
      return event.type === 'MarketListed' ? [event.marketId] : [];
    });
    baselines.buy(markets, books);
    expect(baselines.report(100_000_000, books).map(({ pnl }) => pnl)).to.deep.equal([0, null, null]);
  });

  it('rounds ratios half away from zero, and has none where it is undefined', () => {
    expect(ratio(1, 2_000_000)).to.equal(0.000_001);
    expect(ratio(-1, 2_000_000)).to.equal(-0.000_001);
    expect(ratio(-1, 2_000_001)).to.equal(0);
    expect(ratio(2, 3)).to.equal(0.666_667);
    expect(ratio(5, 0)).to.equal(null);
  });
});
