import { CANDLE_PERIODS } from '@paper/contracts';
import type { ReadDb } from '@paper/read-models';
import { sql } from 'kysely';
import type { Insertable, Kysely } from 'kysely';

type Tables = ReadDb extends Kysely<infer T> ? T : never;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

/** The starting balance of each account. It is the usual one, so all accounts are ranked. */
export const STARTING_BALANCE_UNITS = 100_000_000;

export function marketId(n: number): string {
  return `market-${String(n).padStart(5, '0')}`;
}

/** The same in SQL, of the number that an expression gives. */
export const marketIdSql = (n: string): string => `'market-' || lpad((${n})::text, 5, '0')`;

/**
 * Inserts a row for each row of `from`, which has an SQL expression for each column. Only columns that may be null can
 * be left out.
 */
export async function insertRows<Name extends keyof Tables>(
  db: ReadDb,
  table: Name,
  expressions: { readonly [column in keyof Insertable<Tables[Name]>]: string },
  from: string,
): Promise<void> {
  const values = Object.values<string>(expressions).join(', ');
  await db
    .insertInto(table)
    .columns(Object.keys(expressions) as (keyof Tables[Name] & string)[])
    .expression(sql.raw(`select ${values} from ${from}`))
    .execute();
}

/** Active markets in ten sectors, each with its company, two drivers, and trades on four days. */
export async function fillMarkets(db: ReadDb, count: number): Promise<void> {
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  await insertRows(
    db,
    'markets',
    {
      id: marketIdSql('n'),
      title: `'Will what question number ' || n || ' asks about come true before the end of the year?'`,
      ticker: `'Q' || n`,
      company_slug: `'company-' || n % 400`,
      sector: `'sector-' || n % 10`,
      category: `'bench'`,
      settlement_source: `'The statistical office that publishes it'`,
      drivers: `array['driver-' || n % 100, 'driver-' || (7 * n + 1) % 100]`,
      company_impact: '0.5',
      prior_units: '5000',
      tick_units: '100',
      closes_at_ms: `${now + 90 * DAY_MS}`,
      created_at_ms: `${now - 3 * DAY_MS} + n`,
      created_seq: 'n + 1',
      listing_id: `'listing-' || n`,
      title_search: `'WILL WHAT QUESTION NUMBER ' || n || ' ASKS ABOUT COME TRUE BEFORE THE END OF THE YEAR?'`,
      names_search: `'Q' || n || e'\\nCOMPANY-' || n % 400`,
      phase: `'active'`,
      status: `'active'`,
      probability_half_units: '2 * p',
      volume_shares: '5000',
      open_interest_pairs: '1000 + n',
      best_bid_units: 'p - 100',
      best_ask_units: 'p + 100',
      last_trade_units: '5000',
      first_fill_minute_ms: `${now - 3 * DAY_MS}`,
      last_fill_minute_ms: `${now}`,
      seq: 'n + 1',
    },
    `(select n, 1000 + 37 * n % 8000 as p from generate_series(0, ${count - 1}) n) market`,
  );
  await insertRows(
    db,
    'market_minutes',
    {
      market_id: marketIdSql('n'),
      minute_ms: `${now} - day * ${DAY_MS}::int8 - k * ${MINUTE_MS}`,
      volume_shares: '1000 * (3 - day) + 100 * (10 - k)',
      trades: '10 * (3 - day) + 10 - k',
      probability_half_units: '2000 + 2 * ((41 * n + k) % 8000)',
    },
    `generate_series(0, ${count - 1}) n, generate_series(0, 3) day, generate_series(0, 9) k`,
  );
}

/** Minutes of the first markets, each with a trade of ten shares; written minute by minute, as a projector does. */
export async function fillMinutes(
  db: ReadDb,
  { markets, minutes, beginMs }: { readonly markets: number; readonly minutes: number; readonly beginMs: number },
): Promise<void> {
  const candles = CANDLE_PERIODS.flatMap((period) => [
    [`open_${period}m_units`, 'p'] as const,
    [`high_${period}m_units`, 'p + 60'] as const,
    [`low_${period}m_units`, 'p - 60'] as const,
  ]);
  for (let first = 0; first < minutes; first += DAY_MINUTES) {
    const last = Math.min(minutes, first + DAY_MINUTES) - 1;
    await insertRows(
      db,
      'market_minutes',
      {
        market_id: marketIdSql('m'),
        minute_ms: `${beginMs} + n * ${MINUTE_MS}::int8`,
        volume_shares: '10 * (n + 1)',
        trades: 'n + 1',
        probability_half_units: '2 * p',
        last_trade_units: 'p',
        best_bid_units: 'p - 100',
        best_ask_units: 'p + 100',
        ...Object.fromEntries(candles),
      },
      `(select n, m, 5000 + (1000 * sin(n / 5000.0))::int + n % 997 * 7919 % 100 as p
        from generate_series(${first}, ${last}) n, generate_series(0, ${markets - 1}) m) minute
      order by n, m`,
    );
  }
  await db.updateTable('markets').set({ first_fill_minute_ms: beginMs }).execute();
  await db
    .updateTable('checkpoint')
    .set({ at_ms: beginMs + (minutes - 1) * MINUTE_MS })
    .execute();
}

/** Cited signals, the same number for each market. */
export async function fillSignals(db: ReadDb, markets: number, each: number): Promise<void> {
  const atMs = `${Date.now()} - n * ${MINUTE_MS}`;
  await insertRows(
    db,
    'signals',
    {
      seq: `n * ${markets} + m + 1`,
      id: `'signal-' || n || '-' || m`,
      market_id: marketIdSql('m'),
      source: `'bench'`,
      external_id: `n || '-' || m`,
      headline: `'The ' || n + 1 || '. report about what question number ' || m || ' asks about has been published'`,
      citation_url: `'https://example.com/reports/' || m || '/' || n`,
      published_at_ms: atMs,
      fair_prob: '0.5',
      confidence: '0.7',
      freshness_ms: '1000',
      prob_before_half_units: '10000',
      prob_after_half_units: '10200',
      interpolated: 'false',
      at_ms: atMs,
    },
    `generate_series(0, ${each - 1}) n, generate_series(0, ${markets - 1}) m`,
  );
}

/** Accounts with the usual starting balance, each of which holds shares of so many of the markets. */
export async function fillAccounts(db: ReadDb, count: number, markets: number, held: number): Promise<void> {
  await insertRows(
    db,
    'accounts',
    {
      id: `'account-' || n`,
      display_name: `'Trader ' || n`,
      starting_balance_units: `${STARTING_BALANCE_UNITS}`,
      cash_units: '50000000 + n * 7919::int8 % 1000000',
      permissions: `'{}'`,
      approved: 'true',
      created_at_ms: 'n',
      created_seq: 'n + 1',
      trades: 'n % 100',
      volume_units: 'n * 100',
    },
    `generate_series(0, ${count - 1}) n`,
  );
  await insertRows(
    db,
    'positions',
    {
      account_id: `'account-' || n`,
      market_id: marketIdSql('m'),
      yes_shares: '30',
      no_shares: '0',
      yes_cost_units: '150000',
      no_cost_units: '0',
    },
    `generate_series(0, ${count - 1}) n, generate_series(n % ${markets / held}, ${markets - 1}, ${markets / held}) m`,
  );
}
