import type { Command } from '@paper/exchange/commands';
import { base, keyOf, openAccount, OPERATOR, SCENARIO_AT, startEpoch, storeTestNames, testName } from '@paper/testkit';
import { expect } from 'chai';
import { sql } from 'kysely';
import { meOf } from '../src/models/accounts/queries.ts';
import { findPortfolioAsOf } from '../src/reads/as-of/portfolio.ts';
import { answerOf, portfolioIn } from './answer-of.ts';
import { useProjectedExchange } from './projected-exchange.ts';
import { useReadDatabase } from './read-database.ts';

const WEEK_MS = 7 * 86_400_000;

const after = (weeks: number, command: Command): Command => ({ ...command, at: SCENARIO_AT + weeks * WEEK_MS });
const rename = (id: string, weeks: number): Command =>
  after(weeks, { ...base(keyOf('ann'), id), nameDigest: testName(id).nameDigest, type: 'RenameAccount' });

describe('a renamed account in the read models', () => {
  const database = useReadDatabase();
  const { exchange, schema, submit } = useProjectedExchange(database);

  const db = () => database().db.withSchema(schema());
  const now = async (accountId: string): Promise<unknown> => (await portfolioIn(db(), accountId))?.displayName;
  const then = async (accountId: string, seq: number): Promise<unknown> =>
    (await findPortfolioAsOf(db(), accountId, seq, exchange.head.seq))?.displayName;

  before(async () => {
    await submit(startEpoch(), openAccount('ann'), openAccount('bob'));
    const renames = ['first', 'second'].map((commandId) => ({ accountId: 'ann', commandId }));
    await storeTestNames(database().connectionString, 'main', ['ann', 'bob', ...renames]);
  });

  it('has its newest name now, and of the past the name of then', async () => {
    const opened = exchange.head.seq;
    await submit(rename('first', 0));
    const once = exchange.head.seq;
    expect(await now('ann')).to.equal('Näme of first');
    await submit(rename('second', 1));
    expect(await now('ann')).to.equal('Näme of second');
    expect((await answerOf(db(), meOf, 'ann-key'))?.displayName).to.equal('Näme of second');
    const past = [await then('ann', opened), await then('ann', once - 1), await then('ann', once)];
    expect(past).to.deep.equal(['Näme of ann', 'Näme of ann', 'Näme of first']);
    expect(await then('ann', exchange.head.seq)).to.equal('Näme of second');
    expect([await now('bob'), await then('bob', once)]).to.deep.equal(['Näme of bob', 'Näme of bob']);
  });

  it('has none of its names once they are forgotten', async () => {
    const { seq } = exchange.head;
    const byOperator = { ...base(OPERATOR), accountId: 'ann' };
    await submit(
      after(1, { ...byOperator, type: 'CloseAccount' }),
      after(1, { ...byOperator, id: 'forget-ann', type: 'ForgetDisplayNames' }),
    );
    await sql`delete from coordination.names where account_id = 'ann'`.execute(database().db);
    expect(await now('ann')).to.equal('Trader ann');
    expect([await then('ann', 3), await then('ann', seq)]).to.deep.equal(['Trader ann', 'Trader ann']);
  });
});
