import type { PortfolioBody } from '@paper/contracts/portfolio';
import { NOTHING_HELD, RecentChanges } from '@paper/read-models';
import type { HeldItems, queries, ReadModels } from '@paper/read-models';
import { expect } from 'chai';
import { HeldPortfolios } from '../src/portfolio/held-portfolios.ts';

const MARKET = {
  id: 'm',
  title: 'Will it rain?',
  ticker: 'RAIN',
  companySlug: 'rain',
  resolvedOutcome: null,
  phase: 'active' as const,
  probabilityHalfUnits: 10_000,
};

function found(...ids: readonly string[]): queries.FoundPortfolio {
  const trade = { marketId: 'm', outcome: 'yes' as const, priceUnits: 5_000, quantity: 1, createdAt: 0 };
  return {
    accountId: 'ann',
    displayName: 'Ann',
    cashUnits: 0,
    startingBalanceUnits: 0,
    live: [],
    ended: [],
    positions: [],
    settled: [],
    trades: ids.map((id) => ({ ...trade, id })),
    markets: [MARKET],
    fleet: null,
  };
}

describe('held portfolios', () => {
  /** Where the read models are, and the trades that the next query finds. */
  let answer: { schema: string; seq: number; trades: readonly string[] };
  let readModels: { generation: number; queryOne: ReadModels['queryOne'] };
  /** What the queries were told that their caller holds. */
  let held: HeldItems[];
  let portfolios: HeldPortfolios;
  let changes: RecentChanges;
  /** The newest projected sequence, and the clock. */
  let [newest, nowMs] = [0, 0];
  let fleet: queries.FoundPortfolio['fleet'];

  beforeEach(() => {
    held = [];
    changes = new RecentChanges();
    [newest, nowMs, fleet] = [0, 0, null];
    readModels = {
      generation: 0,
      queryOne: (_query, _accountId, items) => {
        const { marketIds, seq: heldSeq } = { ...NOTHING_HELD, ...items };
        held.push({ marketIds, seq: heldSeq });
        const { schema, seq, trades } = answer;
        return Promise.resolve({ schema, seq, value: { ...found(...trades), fleet } as never });
      },
    };
    portfolios = new HeldPortfolios(readModels, { changes, newest: () => newest }, () => nowMs);
  });

  const readTrades = async (given: typeof answer): Promise<readonly string[]> => {
    answer = given;
    const { preSerialized, seq } = await portfolios.read('ann');
    expect(seq).to.equal(given.seq);
    return (JSON.parse(preSerialized.bytes.toString()) as PortfolioBody).trades.map(({ id }) => id);
  };

  it('are found from where they were read last, with the markets of what is held', async () => {
    expect(await readTrades({ schema: 'one', seq: 5, trades: ['b', 'a'] })).to.deep.equal(['b', 'a']);
    expect(await readTrades({ schema: 'one', seq: 7, trades: [] })).to.deep.equal(['b', 'a']);
    expect(await readTrades({ schema: 'one', seq: 9, trades: ['c'] })).to.deep.equal(['c', 'b', 'a']);
    expect(held).to.deep.equal([NOTHING_HELD, { seq: 5, marketIds: ['m'] }, { seq: 7, marketIds: ['m'] }]);
  });

  it('are found anew in another schema, which a rebuild may have corrected', async () => {
    await readTrades({ schema: 'one', seq: 5, trades: ['wrong'] });
    expect(await readTrades({ schema: 'two', seq: 5, trades: ['right'] })).to.deep.equal(['right']);
    expect(held).to.deep.equal([NOTHING_HELD, { seq: 5, marketIds: ['m'] }, NOTHING_HELD]);
  });

  it('are found anew before the sequence at which they are held', async () => {
    await readTrades({ schema: 'one', seq: 5, trades: ['b', 'a'] });
    expect(await readTrades({ schema: 'one', seq: 4, trades: ['a'] })).to.deep.equal(['a']);
    expect(held.at(-1)).to.deep.equal(NOTHING_HELD);
  });

  it('are found anew once the read models did not match the journal', async () => {
    await readTrades({ schema: 'one', seq: 5, trades: ['of another journal'] });
    readModels.generation += 1;
    expect(await readTrades({ schema: 'one', seq: 6, trades: ['a'] })).to.deep.equal(['a']);
    expect(held).to.deep.equal([NOTHING_HELD, NOTHING_HELD]);
  });

  describe('with a projector in this process', () => {
    const open = (accountId: string, seq: number): void =>
      changes.record(
        { accountId, at: 0, nameDigest: 'd', startingBalanceUnits: 0, type: 'AccountOpened' },
        (newest = seq),
        null,
      );
    /** Reads what the last query found; returns the sequence, and whether this took another query. */
    const readAgain = async () => {
      const before = held.length;
      const { seq } = await portfolios.read('ann');
      return [seq, held.length > before];
    };

    beforeEach(async () => {
      changes.restart('one', 5);
      newest = 5;
      await readTrades({ schema: 'one', seq: 5, trades: ['a'] });
    });

    it('are sent again, as of the newest event, while no event changes them', async () => {
      expect(await readAgain()).to.deep.equal([5, false]);
      open('bob', 6);
      expect(await readAgain()).to.deep.equal([6, false]);
      newest = 5;
      answer.seq = 6;
      expect(await readAgain()).to.deep.equal([5, false]);
    });

    it('never show an earlier sequence than before, though this process hears of it later', async () => {
      open('ann', 6);
      await readTrades({ schema: 'one', seq: 6, trades: [] });
      newest = 5;
      expect(await readAgain()).to.deep.equal([6, false]);
    });

    it('are read after an event of their account, and in a new minute', async () => {
      open('ann', 6);
      answer.seq = 6;
      expect(await readAgain()).to.deep.equal([6, true]);
      nowMs = 60_000;
      expect(await readAgain()).to.deep.equal([6, true]);
      expect(await readAgain()).to.deep.equal([6, false]);
    });

    it('are read while events are not folded yet, in another schema, and with another journal', async () => {
      newest = 6;
      answer.seq = 6;
      expect(await readAgain()).to.deep.equal([6, true]);
      changes.restart('two', 6);
      expect(await readAgain()).to.deep.equal([6, true]);
      changes.restart('one', 6);
      expect(await readAgain()).to.deep.equal([6, false]);
      readModels.generation += 1;
      expect(await readAgain()).to.deep.equal([6, true]);
    });

    it('are read each time for a primary with sub-accounts, whose events change them', async () => {
      fleet = { subAccountCount: 1, cashUnits: 0, positionsHalfUnits: 0, startingBalanceUnits: 0 };
      open('ann', 6);
      answer.seq = 6;
      expect([await readAgain(), await readAgain()]).to.deep.equal([
        [6, true],
        [6, true],
      ]);
    });
  });
});
