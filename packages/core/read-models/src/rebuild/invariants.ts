import { sql } from 'kysely';
import type { ReadDb } from '../models/tables.ts';

/** A sum that is right in every correct fold is wrong: the read models must not be served. */
export class InvariantBroken extends Error {
  override readonly name = 'InvariantBroken';
}

/** Queries that return a row for each violation. In settling markets, the unpaid rest counts as money too. */
const invariantQueries = (schema: string) => {
  const t = (name: string) => sql.id(schema, name);
  return {
    'money is conserved': sql<{ found: string }>`
      select format('%s granted, %s there', granted, held) as found from (select
        (select coalesce(sum(starting_balance_units), 0) from ${t('accounts')}) as granted,
        (select coalesce(sum(cash_units), 0) from ${t('accounts')})
          + (select coalesce(sum(10000 * open_interest_pairs), 0) from ${t('markets')})
          + (select coalesce(sum(p.yes_shares * m.settle_price_units + p.no_shares * (10000 - m.settle_price_units)), 0)
             from ${t('positions')} p join ${t('markets')} m on m.id = p.market_id
             where m.settle_price_units is not null)
          as held) s
      where granted <> held`,
    'shares come in pairs': sql<{ found: string }>`
      select format('%s: %s pairs, %s YES, %s NO', m.id, m.open_interest_pairs, p.yes, p.no) as found
      from ${t('markets')} m
      left join (select market_id, sum(yes_shares) as yes, sum(no_shares) as no from ${t('positions')} group by 1) p
        on p.market_id = m.id
      where m.settle_price_units is null
        and (coalesce(p.yes, 0) <> m.open_interest_pairs or coalesce(p.no, 0) <> m.open_interest_pairs)`,
    'levels are resting orders': sql<{ found: string }>`
      select format('%s %s at %s', market_id, side, yes_price_units) as found from (
        (select market_id, side, yes_price_units, quantity, orders from ${t('book_levels')})
        except
        (select market_id, case when (side = 'buy') = (outcome = 'yes') then 'bid' else 'ask' end as book_side,
           case outcome when 'yes' then price_units else 10000 - price_units end as yes_price_units,
           sum(quantity - filled)::int8, count(*)
         from ${t('orders')} where ended_seq is null group by 1, 2, 3)) s`,
    'resting orders are in levels': sql<{ found: string }>`
      select format('%s orders rest, %s in levels', resting, levels) as found from (select
        (select count(*) from ${t('orders')} where ended_seq is null) as resting,
        (select coalesce(sum(orders), 0) from ${t('book_levels')}) as levels) s
      where resting <> levels`,
  };
};

export type Invariant = keyof ReturnType<typeof invariantQueries>;

/** Checks these invariants of the filled tables; default: all. @throws InvariantBroken with the first violation */
export async function checkInvariants(db: ReadDb, schema: string, only?: readonly Invariant[]): Promise<void> {
  const checks = invariantQueries(schema);
  for (const name of only ?? (Object.keys(checks) as Invariant[])) {
    const { rows } = await checks[name].execute(db);
    if (rows[0] !== undefined) throw new InvariantBroken(`${name}: ${rows[0].found}`);
  }
}
