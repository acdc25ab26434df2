import { Refused } from '@paper/contracts';
import { expect } from 'chai';
import { sql } from 'kysely';
import { createIndexes } from '../src/engine/create-schema.ts';
import { ALL_TABLES } from '../src/models/tables.ts';
import type { ReadDb } from '../src/models/tables.ts';
import { findOrderHistory } from '../src/models/orders/order-history.ts';
import type { OrderHistoryPage, OrderHistoryPosition } from '../src/models/orders/order-history.ts';
import { useReadDatabase } from './read-database.ts';

/** The distance in fills between two fills of the order under test; the fills in between are of other orders. */
const BETWEEN = 3_000;
const OWN = 5;

/** An order of long ago whose account has traded ever since. */
describe('the history of an old order of a busy account', function () {
  this.timeout(60_000);
  const database = useReadDatabase();
  let db: ReadDb;

  before(async () => {
    const schema = await database().newSchema();
    db = database().db.withSchema(schema);
    await sql`insert into ${sql.id(schema, 'accounts')} values
      ('ann', null, null, 'Ann', 100000000, 90000000, '{}', true, 0, 1, 0, 0, null, null)`.execute(db);
    await sql`insert into ${sql.id(schema, 'orders')} values
      ('old', 'm', 'ann', 'buy', 'yes', 'limit', 'GTC', 5000, null, 10, ${OWN}, 0, 'cancelled', 'user', 0, 10,
        ${20 + OWN * BETWEEN}, null, null, false, null, null)`.execute(db);
    await sql`insert into ${sql.id(schema, 'fills')}
      select 10 + n, 'maker', 'fill-' || n, 'ann', case when n % ${BETWEEN} = 0 and n <= ${OWN * BETWEEN} then 'old' else 'other-' || n end, 'm',
        'buy', 'yes', 5000, 5000, 1, 'mint', 10000, 10000, 0, 0, 0, 0, 0, 0
      from generate_series(1, ${(OWN + 2) * BETWEEN}) n`.execute(db);
    await createIndexes(database().db, schema, ALL_TABLES);
  });

  const pages = async (limit: number): Promise<OrderHistoryPage[]> => {
    const found: OrderHistoryPage[] = [];
    for (let after: OrderHistoryPosition | undefined, more = true; more;) {
      const page = await findOrderHistory(db, 'ann', 'old', { limit, after });
      if (page === null) throw new Error('it is not there');
      found.push(page);
      more = page.next !== null;
      after = page.next ?? undefined;
    }
    return found;
  };

  it('is whole and in order, in pages that are full but for the last', async () => {
    for (const limit of [1, 2, 500]) {
      const found = await pages(limit);
      const seqs = found.flatMap(({ steps }) => steps.map(({ seq }) => seq));
      expect(seqs).to.deep.equal(Array.from({ length: OWN }, (_, n) => 10 + (n + 1) * BETWEEN));
      let filled = 0;
      for (const [index, { steps, filledBefore, isFirst, cancelledSeq }] of found.entries()) {
        const entries = steps.length + (isFirst ? 1 : 0) + (cancelledSeq === null ? 0 : 1);
        expect(entries).to.equal(index < found.length - 1 ? limit : OWN + 2 - index * limit);
        expect([filledBefore, isFirst]).to.deep.equal([filled, index === 0]);
        filled += steps.length;
        expect(cancelledSeq).to.equal(index === found.length - 1 ? 20 + OWN * BETWEEN : null);
      }
      expect(found).to.have.length(Math.ceil((OWN + 2) / limit));
    }
  });

  it('refuses a position whose shares are not those that were filled up to there', async () => {
    const [first] = await pages(3);
    const [seq = 0, filled = 0] = first?.next ?? [];
    expect([seq, filled]).to.deep.equal([10 + 2 * BETWEEN, 2]);
    for (const after of [
      [seq, filled + 1],
      [seq, OWN + 1],
      [seq + BETWEEN, filled],
      [999_999_999_999_999, 1],
      [1, 999_999_999_999_999],
    ] as const) {
      const refused = await findOrderHistory(db, 'ann', 'old', { limit: 500, after }).catch((error: unknown) => error);
      expect(refused, after.join()).to.be.instanceOf(Refused).with.property('code', 'validation_failed');
    }
  });
});
