import { CANDLE_PERIODS } from '@paper/contracts';
import type { ReadDb } from '@paper/read-models';
import { sql } from 'kysely';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const SECTORS = 10;
const COMPANIES = 400;
const DRIVERS = 100;
const ROWS_AT_ONCE = 500;

/** The starting balance of each account. It is the usual one, so all accounts are ranked. */
export const STARTING_BALANCE_UNITS = 100_000_000;

/** Active markets in ten sectors, each with its company, two drivers, and trades on three days. */
export async function fillMarkets(db: ReadDb, count: number): Promise<void> {
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  for (let first = 0; first < count; first += ROWS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(ROWS_AT_ONCE, count - first) }, (_, n) => first + n);
    await db
      .insertInto('markets')
      .values(
        numbers.map((n) => {
          const probability = 2000 + 2 * ((n * 37) % 8000);
          return {
            id: marketId(n),
            title: `Will what question number ${n} asks about come true before the end of the year?`,
            ticker: `Q${n}`,
            company_slug: `company-${n % COMPANIES}`,
            sector: `sector-${n % SECTORS}`,
            category: 'bench',
            settlement_source: 'The statistical office that publishes it',
            description: null,
            citation_url: null,
            drivers: [`driver-${n % DRIVERS}`, `driver-${(n * 7 + 1) % DRIVERS}`],
            company_impact: 0.5,
            prior_units: 5000,
            tick_units: 100,
            closes_at_ms: now + 90 * DAY_MS,
            created_at_ms: now - 3 * DAY_MS + n,
            created_seq: n + 1,
            listing_id: `listing-${n}`,
            title_search: `WILL WHAT QUESTION NUMBER ${n} ASKS ABOUT COME TRUE BEFORE THE END OF THE YEAR?`,
            names_search: `Q${n}\nCOMPANY-${n % COMPANIES}`,
            phase: 'active' as const,
            status: 'active' as const,
            probability_half_units: probability,
            volume_shares: 5000,
            open_interest_pairs: 1000 + n,
            best_bid_units: probability / 2 - 100,
            best_ask_units: probability / 2 + 100,
            last_trade_units: 5000,
            first_fill_minute_ms: now - 3 * DAY_MS,
            last_fill_minute_ms: now,
            resolved_outcome: null,
            settle_price_units: null,
            resolved_at_ms: null,
            cancelled_orders: null,
            settled_accounts: null,
            paid_units: null,
            seq: n + 1,
          };
        }),
      )
      .execute();
    for (let day = 3; day >= 0; day -= 1) {
      await db
        .insertInto('market_minutes')
        .values(
          numbers.flatMap((n) =>
            Array.from({ length: 10 }, (_, k) => ({
              market_id: marketId(n),
              minute_ms: now - day * DAY_MS - k * MINUTE_MS,
              volume_shares: (3 - day) * 1000 + 100 * (10 - k),
              trades: (3 - day) * 10 + 10 - k,
              probability_half_units: 2000 + 2 * ((n * 41 + k) % 8000),
            })),
          ),
        )
        .execute();
    }
  }
}

/** The columns of minutes, each with its value in minute `n` of market `m`, whose price is `p`. */
const MINUTE_VALUES = [
  ['market_id', `'market-' || lpad(m::text, 5, '0')`],
  ['minute_ms', 'ms'],
  ['volume_shares', '10 * (n + 1)'],
  ['trades', 'n + 1'],
  ['probability_half_units', '2 * p'],
  ['last_trade_units', 'p'],
  ['best_bid_units', 'p - 100'],
  ['best_ask_units', 'p + 100'],
  ...CANDLE_PERIODS.flatMap((period) => [
    [`open_${period}m_units`, 'p'] as const,
    [`high_${period}m_units`, 'p + 60'] as const,
    [`low_${period}m_units`, 'p - 60'] as const,
  ]),
] as const;

/** Minutes of the first markets, each with a trade of ten shares; written minute by minute, as a projector does. */
export async function fillMinutes(
  db: ReadDb,
  { markets, minutes, beginMs }: { readonly markets: number; readonly minutes: number; readonly beginMs: number },
): Promise<void> {
  for (let first = 0; first < minutes; first += DAY_MINUTES) {
    const last = Math.min(minutes, first + DAY_MINUTES) - 1;
    await db
      .insertInto('market_minutes')
      .columns(MINUTE_VALUES.map(([column]) => column))
      .expression(
        sql`select ${sql.raw(MINUTE_VALUES.map(([, value]) => value).join(', '))}
          from (select n, m, ${beginMs}::int8 + n * ${MINUTE_MS}::int8 as ms,
              5000 + (1000 * sin(n / 5000.0))::int + n % 997 * 7919 % 100 as p
            from generate_series(${first}::int, ${last}::int) n, generate_series(0, ${markets - 1}::int) m) minute
          order by n, m`,
      )
      .execute();
  }
  await db.updateTable('markets').set({ first_fill_minute_ms: beginMs }).execute();
  await db
    .updateTable('checkpoint')
    .set({ at_ms: beginMs + (minutes - 1) * MINUTE_MS })
    .execute();
}

/** Cited signals, the same number for each market. */
export async function fillSignals(db: ReadDb, markets: number, each: number): Promise<void> {
  const now = Date.now();
  for (let n = 0; n < each; n += 1) {
    for (let first = 0; first < markets; first += ROWS_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(ROWS_AT_ONCE, markets - first) }, (_, k) => first + k);
      await db
        .insertInto('signals')
        .values(
          numbers.map((market) => ({
            seq: n * markets + market + 1,
            id: `signal-${n}-${market}`,
            market_id: marketId(market),
            source: 'bench',
            external_id: `${n}-${market}`,
            headline: `The ${n + 1}. report about what question number ${market} asks about has been published`,
            citation_url: `https://example.com/reports/${market}/${n}`,
            published_at_ms: now - n * MINUTE_MS,
            event: null,
            fair_prob: 0.5,
            fact_value: null,
            threshold: null,
            confidence: 0.7,
            freshness_ms: 1000,
            prob_before_half_units: 10_000,
            prob_after_half_units: 10_200,
            interpolated: false,
            at_ms: now - n * MINUTE_MS,
          })),
        )
        .execute();
    }
  }
}

/** The row of the `n`th account. */
export function accountRow(n: number) {
  return {
    id: `account-${n}`,
    primary_account_id: null,
    display_name: `Trader ${n}`,
    starting_balance_units: STARTING_BALANCE_UNITS,
    cash_units: 50_000_000 + ((n * 7919) % 1_000_000),
    permissions: [],
    approved: true,
    created_at_ms: n,
    created_seq: n + 1,
    trades: n % 100,
    volume_units: n * 100,
    last_fill_minute_ms: null,
  };
}

/** Accounts with the usual starting balance, each of which holds shares of one market in `apart`. */
export async function fillAccounts(db: ReadDb, count: number, apart: number): Promise<void> {
  for (let first = 0; first < count; first += ROWS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(ROWS_AT_ONCE, count - first) }, (_, n) => first + n);
    await db.insertInto('accounts').values(numbers.map(accountRow)).execute();
  }
  await db
    .insertInto('positions')
    .columns(['account_id', 'market_id', 'yes_shares', 'no_shares', 'yes_cost_units', 'no_cost_units'])
    .expression((eb) =>
      eb
        .selectFrom('accounts')
        .innerJoin('markets', (join) =>
          join.on((on) => on(on('accounts.created_seq', '%', apart), '=', on('markets.created_seq', '%', apart))),
        )
        .where('accounts.created_seq', '>', 0)
        .select(['accounts.id as account_id', 'markets.id as market_id'])
        .select([eb.lit(30).as('yes_shares'), eb.lit(0).as('no_shares')])
        .select([eb.lit(150_000).as('yes_cost_units'), eb.lit(0).as('no_cost_units')]),
    )
    .execute();
}

export function marketId(n: number): string {
  return `market-${String(n).padStart(5, '0')}`;
}
