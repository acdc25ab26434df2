import type { ExchangeEvent } from '@paper/exchange/events';
import { decode } from '@paper/journal';
import { SimulatedJournal } from '@paper/testkit';
import { expect } from 'chai';
import { OpenRanking, rankAccounts } from '../src/reads/leaderboard.ts';
import { Projection } from '../src/projection/projection.ts';
import { journalEvents, listed, marketBuyMeetsNoBid, opened, resting, T0 } from './events.ts';
import { dumpSchema, useReadDatabase } from './read-database.ts';

const USUAL_UNITS = 100_000_000;

const subAccount = (accountId: string, primaryAccountId: string): ExchangeEvent => ({
  accountId,
  at: T0,
  nameDigest: 'd2'.repeat(32),
  permissions: [],
  primaryAccountId,
  startingBalanceUnits: USUAL_UNITS,
  type: 'SubAccountOpened',
});
const closed = (accountId: string): ExchangeEvent => ({ accountId, at: T0, type: 'AccountClosed' });

/** The account buys a share of YES for so many units, from the house's bid for NO. */
function buys(taker: string, yesPriceUnits: number): readonly ExchangeEvent[][] {
  const [marketId, makerOrder] = ['m', `quote for ${taker}`];
  const quote = resting('house', makerOrder, marketId, {
    side: 'buy',
    outcome: 'no',
    priceUnits: 10_000 - yesPriceUnits,
    quantity: 1,
  });
  const meets = { marketId, maker: 'house', makerOrder, makerRemaining: 0, quantity: 1, taker, yesPriceUnits };
  return [[quote], marketBuyMeetsNoBid({ ...meets, takerOrder: `order of ${taker}` })];
}

describe('the leaderboard', () => {
  const database = useReadDatabase();

  /** Projects each list of decisions by a projection of its own, which continues after the one before. */
  async function ranked(...parts: readonly (readonly (readonly ExchangeEvent[])[])[]) {
    const schema = await database().newSchema();
    const db = database().db.withSchema(schema);
    let seq = 0;
    for (const decisions of parts) {
      const events = journalEvents(decisions, seq + 1);
      await (await Projection.open(database().db, schema)).project(events);
      seq += events.length;
    }
    const settings = { name: 'main', starting_balance_units: USUAL_UNITS, compliance_mode: 'paper' } as const;
    await db.insertInto('settings').values(settings).execute();
    const { entries, total } = await db.transaction().execute((trx) => rankAccounts(trx, 100));
    expect(total).to.equal(entries.length);
    await db.transaction().execute(async (trx) => {
      const kept = await OpenRanking.open(trx);
      expect(kept.total).to.equal(total);
      // Pages in any order, at once, with accounts of one value on two of them, and beyond the end.
      const starts = [total, 1, 0, 2];
      const pages = await Promise.all(starts.map((start) => kept.page(start, 2)));
      const cut = starts.map((start) => ({ entries: entries.slice(start, start + 2), total }));
      expect(pages).to.deep.equal(cut);
      await kept.idle();
    });
    return entries.map(({ id, rank }) => [rank, id]);
  }

  const house = opened('house', 2 * USUAL_UNITS);

  it('one key filled ranks 7 to 31 with sub-accounts: of a fleet only the first two are ranked, for ever', async () => {
    const subs = ['s1', 's2', 's3', 's4'];
    const fleet = [[opened('a')], ...subs.map((id) => [subAccount(id, 'a')])];
    const trades = ['a', ...subs].flatMap((id) => buys(id, 5_000));
    expect(await ranked([[listed('m')], [house], ...fleet, ...trades])).to.deep.equal([
      [1, 'a'],
      [1, 's1'],
      [1, 's2'],
    ]);
    // A closed one keeps its place, and a projection that starts anew goes on counting.
    const more = [[subAccount('s5', 'a')], [opened('b')], [subAccount('t1', 'b')]];
    const later = [[closed('s1')], ...more, ...['s5', 'b', 't1'].flatMap((id) => buys(id, 5_000))];
    expect(await ranked([[listed('m')], [house], ...fleet, ...trades], later)).to.deep.equal([
      [1, 'a'],
      [1, 's2'],
      [1, 'b'],
      [1, 't1'],
    ]);
  });

  it('ranks from the first fill on, and gives one rank to one value: 1 plus the number of those with more', async () => {
    const accounts = ['rich', 'even', 'idle', 'poor', 'last'].map((id) => [opened(id)]);
    const trades = [...buys('rich', 1_000), ...buys('even', 3_000), ...buys('poor', 3_000), ...buys('last', 5_000)];
    expect(await ranked([[listed('m')], [house], ...accounts, ...trades])).to.deep.equal([
      [1, 'rich'],
      [2, 'even'],
      [2, 'poor'],
      [4, 'last'],
    ]);
  });

  it('numbers the sub-accounts of each fleet the same in a rebuild as event by event', async () => {
    const simulated = new SimulatedJournal({ seed: 3 });
    await simulated.run(600);
    const whole = await dumpSchema(database().db, await database().filled(simulated));
    const schema = await database().newSchema();
    for (const [index, end] of simulated.ends.entries()) {
      if (index % 40 !== 39 && end !== simulated.head.seq) continue;
      const projection = await Projection.open(database().db, schema);
      const from = projection.checkpoint.seq + 1;
      await projection.project((await simulated.journal.read(from, end - from + 1)).map(decode));
    }
    const numbers = (rows: readonly unknown[] = []): unknown[] =>
      (rows as { id: string; sub_account_number: number | null }[]).map((row) => [row.id, row.sub_account_number]);
    const found = numbers((await dumpSchema(database().db, schema))['accounts']);
    expect(found).to.deep.equal(numbers(whole['accounts']));
    expect(found.some((row) => (row as unknown[])[1] === 2)).to.equal(true);
  }).timeout(30_000);
});
