import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createTwin, Invariants, openReadOnly, verifyJournal } from '@paper/auditor';
import { decode, withhold } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';
import type { TapeEvent } from '@paper/tapes';
import { expect } from 'chai';
import { at, runBacktest } from '../process/running-backtest.ts';
import { ask, bid, level, levels, order, playEvents, trade } from './played-tape.ts';

const VERIFY = path.resolve(import.meta.dirname, '../../../../scripts/verify-journal.mjs');

/** A level of 2,000 shares, and a trade of 700. */
const LARGE: readonly TapeEvent[] = [
  levels(0, [bid(4_000, 2_000)], [ask(5_000, 900)]),
  trade(10, 'yes', 5_000, 700, 200),
];
/** A level of 1,100 orders. */
const MANY = Array.from({ length: 1_100 }, (_, index) => level(20 + index, bid(3_000, index + 1)));

/** The journal of a tape that is played while a participant buys as much as it may. */
async function journalOf([first, ...others]: readonly TapeEvent[]): Promise<readonly StoredEvent[]> {
  const { exchange, move, participants } = await playEvents(first === undefined ? [] : [first]);
  const [ann] = participants;
  if (ann === undefined) throw new Error('nobody takes part');
  for (const event of others) await move([event]);
  expect(await order(exchange, ann, 'yes', 5_000, 501, 'IOC')).to.include({ code: 'validation_failed' });
  await order(exchange, ann, 'yes', 5_000, 500, 'IOC');
  await exchange.end();
  return exchange.journal;
}

/** What the invariants, and then the twin, find where the houses are accounts like any other. */
function findings(journal: readonly StoredEvent[]): readonly string[] {
  const [invariants, twin] = [new Invariants(), createTwin()];
  const found: string[] = [];
  for (const { command, event, seq } of journal.map(decode)) {
    const judged = event.type === 'AccountOpened' ? { ...event, nameDigest: 'f'.repeat(64) } : event;
    try {
      if (found[0] === undefined && command !== null && seq > 1) invariants.endOfDecision();
      if (found[0] === undefined) invariants.apply(judged, seq);
    } catch (error) {
      found[0] = (error as Error).message;
    }
    if (command === null || found[1] !== undefined) continue;
    const by = command.by.kind === 'operator' ? { ...command.by, name: 'somebody' } : command.by;
    const verdict = twin.handle({ ...command, by });
    if (verdict.kind !== 'accepted') found[1] = JSON.stringify(verdict);
  }
  return found;
}

describe('an audit of a backtest', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'paper-audit-'));
  after(() => rmSync(folder, { recursive: true }));

  async function auditFile(file: string) {
    const journal = await openReadOnly(file, 'main', 'audit');
    try {
      return await verifyJournal({ journal, shard: 'main' });
    } finally {
      await journal.close();
    }
  }

  it('holds for orders of the tape that no participant may send, of a whole journal and of a downloaded one', async () => {
    const journal = await journalOf([...LARGE, ...MANY]);
    const last = journal.at(-1);
    const head = { hash: last?.hash ?? '', seq: last?.seq ?? 0 };
    const whole = {
      head: () => Promise.resolve(head),
      read: (seq: number, limit: number) => Promise.resolve(journal.slice(seq - 1, seq - 1 + limit)),
    };
    const decided = await verifyJournal({ journal: whole, shard: 'main' });
    expect([decided.fault?.message, decided.proven, decided.withheld]).to.deep.equal([undefined, head, false]);
    const file = path.join(folder, 'journal.ndjson');
    writeFileSync(file, journal.map((event) => `${JSON.stringify(withhold(event))}\n`).join(''));
    const downloaded = await auditFile(file);
    expect([downloaded.fault?.message, downloaded.proven]).to.deep.equal([undefined, head]);
    const { stdout } = await promisify(execFile)(process.execPath, [VERIFY, file]);
    expect(stdout).to.include(String(head.seq));
  });

  it('names anybody else whose orders are as large, or as many', async () => {
    const [large, largeAgain] = findings(await journalOf(LARGE));
    expect(large).to.include('an order for 2000 shares');
    expect(largeAgain).to.include('validation_failed');
    const [many, manyAgain] = findings(await journalOf([levels(0, [], [ask(5_000, 500)]), ...MANY]));
    expect(many).to.include('1001 open orders');
    expect(manyAgain).to.include('limit_reached');
  });

  it('holds for what the process of a backtest has written', async () => {
    const backtest = await runBacktest({ to: at(120) });
    while ((await backtest.call(0, 'POST', '/api/clock/advance')).body['ended'] !== true);
    const { fault, proven } = await auditFile(path.join(backtest.options.folder, 'journal.ndjson'));
    const written = backtest.journal().length;
    await backtest.stop();
    expect([fault?.message, proven.seq]).to.deep.equal([undefined, written]);
  });
});
