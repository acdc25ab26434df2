import { DAY_MS } from '@paper/contracts/units';
import { sql } from 'kysely';
import type { ReadDb } from '../src/models/tables.ts';

/** How much there is of what grows. */
export interface Scale {
  readonly accounts: number;
  readonly orders: number;
  /** Active in the last day, but for a tenth of them. */
  readonly markets: number;
  /** That were resolved long ago. */
  readonly quietMarkets: number;
}

/** Every third order is its own, as a busy bot's would be. */
export const BUSY_ACCOUNT = 'account-1';

/** Every third trade is in it. */
export const HOT_MARKET = 'market-1';

/** The busy account has a few orders in it, all of them early ones. */
export const RARE_MARKET = 'market-0';

/** The time of the newest event: a whole minute. */
export const NEWEST_AT = 1_750_000_020_000;

/**
 * Fills a schema's tables as years of trading would, in a few statements: nine orders in ten are filled at once, one
 * in a thousand rests. Sizes and distributions are realistic; sums are not consistent.
 */
export async function fillLargeTables(db: ReadDb, schema: string, scale: Scale): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local search_path to ${sql.id(schema)}`.execute(trx);
    for (const statement of statements(scale)) await sql.raw(statement).execute(trx);
  });
}

function statements({ accounts, orders, markets, quietMarkets }: Scale): string[] {
  return [
    `insert into settings values ('main', 100000000, 'paper')`,
    `insert into accounts
    select 'account-' || n, case when n % 10 = 2 then 'account-' || (n - 1) end, case when n % 10 = 2 then 1 end, 'Trader ' || n, 100000000, 90000000,
      '{view,trade}', true, n, n, 10, 50000, ${NEWEST_AT} - (n % 20) * ${DAY_MS / 5}, null
    from generate_series(1, ${accounts}) n`,
    `insert into api_keys
    select 'key-' || n, 'account-' || n, 'hash-' || n, 'default', '{view,trade}', 'abcd', n, n, null, null, null, 0, 0
    from generate_series(1, ${accounts}) n`,
    // Keys issued and revoked for years: those of the busy account and of its sub-account.
    `insert into api_keys
    select 'old-key-' || n, 'account-' || 1 + n % 2, 'old-hash-' || n, 'bot', '{trade}', 'abcd', n, 10 * n, n, 10 * n + 5, null, 0, 0
    from generate_series(1, ${orders} / 5) n`,
    `insert into markets
    select 'market-' || n, 'Will it?', 'T' || n, 'company-' || n % 50, 'sector-' || n % 10, 'test', 'tests', null, null,
      '{}', 0.5, 5000, 100, ${NEWEST_AT}, n, n, 'listing-' || n, 'WILL IT?', 'T' || n,
      case when n % 10 = 9 then 'resolved' else 'active' end, case when n % 10 = 9 then 'resolved' else 'active' end,
      10000, 100, 50, 4900, 5100, 5000, ${NEWEST_AT} - 99 * 3600000, ${NEWEST_AT}, null, null, null, null, null, null, n
    from generate_series(0, ${markets - 1}) n`,
    // Listed, and hardly ever traded: they grow in number for ever.
    `insert into markets
    select 'quiet-' || n, 'Will it?', 'T' || n, 'company-' || n % 50, 'sector-' || n % 10, 'test', 'tests', null, null,
      '{}', 0.5, 5000, 100, ${NEWEST_AT}, 0, ${markets} + n, 'listing-' || n, 'WILL IT?', 'T' || n, 'resolved', 'resolved',
      10000, 100, 0, null, null, 5000, ${NEWEST_AT} - ${2 * DAY_MS}, ${NEWEST_AT} - ${2 * DAY_MS}, 'yes', 10000, ${NEWEST_AT} - ${DAY_MS}, 0, 0, 0, 0
    from generate_series(1, ${quietMarkets}) n`,
    `insert into market_minutes
    select 'market-' || n, ${NEWEST_AT} - minute * 3600000, 100 - minute, 100 - minute, 10000, 5000, 4900, 5100
    from generate_series(0, ${markets - 1}) n, generate_series(0, 99) minute`,
    `insert into market_history
    select 'market-' || n, case k when 0 then n else k * ${orders} / 60 + n end, k + 1, ${NEWEST_AT} - (599 - k) * 1000,
      'active', 10000, 5000,
      case k when 0 then 'Will it?' end, 100 * (1 + k % 49), 10, 1, 100 * (50 + k % 49), 10, 1, null, null, null,
      case k when 499 then '[[[4900,10,1]],[[5000,10,1]]]' end
    from generate_series(0, ${markets - 1}) n, generate_series(0, 599) k`,
    `insert into minutes
    select ${NEWEST_AT} - n::int8 * 60000, 100000 - n, 100000 - n from generate_series(0, 99999) n`,
    `insert into orders
    select 'order-' || n, market, account, 'buy', 'yes', 'limit', 'GTC', 5000, null, 10,
      case when rests then 5 when n % 10 = 3 then 0 else 10 end, 0,
      case when rests then 'open' when n % 10 = 3 then 'cancelled' else 'filled' end,
      case when n % 10 = 3 and not rests then 'user' end,
      ${NEWEST_AT} - (${orders} - n), 10 * n, case when not rests then 10 * n + 1 end,
      case when n % 2 = 0 then 'client-' || n % 1000 end, null, false
    from (select n, n % 999 = 0 as rests,
        case when n % 3 = 0 then 'account-1' else 'account-' || 2 + n % ${accounts - 1} end as account,
        case when n % 3 = 0 and n > 300 then 'market-' || 1 + n % ${markets - 1} else 'market-' || n % 3 end as market
      from generate_series(1, ${orders}) n) o`,
    `insert into fills
    select created_seq + 1, role, 'fill-' || id,
      case role when 'taker' then account_id else 'account-' || 2 + created_seq / 10 * 7 % ${accounts - 1} end,
      case role when 'taker' then id else 'maker-of-' || id end,
      market_id, 'buy', case role when 'taker' then 'yes' else 'no' end, 5000, 5000, 10, 'mint', 10000, 10000,
      created_at_ms, 90000000, 10, 0, 50000, 0
    from orders, (values ('taker'), ('maker')) r (role) where status = 'filled'`,
    // A third of all orders are changed, some of them often.
    `insert into order_changes
    select 'order-' || n, 10 * n + k, 'change-' || n || '-' || k, case when n % 3 = 0 then 'account-1' else 'account-' || 2 + n % ${accounts - 1} end,
      'OrderReplaced', 5000, 10, 4900, 10, 0, 0, 10, ${NEWEST_AT} - (${orders} - n)
    from generate_series(1, ${orders}, 3) n, generate_series(1, case when n % 1000 = 1 then 8 else 1 end) k`,
    `insert into merges
    select 10 * n + 6, 'merge-' || n, case when n % 3 = 0 then 'account-1' else 'account-' || 2 + n % ${accounts - 1} end,
      'market-' || n % ${markets}, 10, 50000, 50000, ${NEWEST_AT}, 90000000, 10, 0, 50000, 0
    from generate_series(1, ${orders} / 20) n`,
    `insert into positions
    select 'account-' || n, 'market-' || (n + 7 * k) % ${markets}, 10, 0, 50000, 0
    from generate_series(1, ${accounts}) n, generate_series(1, 10) k on conflict do nothing`,
    `insert into settlements
    select 10 * n + 5, 'settlement-' || n, case when n % 3 = 0 then 'account-1' else 'account-' || 2 + n % ${accounts - 1} end,
      'market-9', 'yes', 10, 100000, 50000, ${NEWEST_AT}, 90000000 from generate_series(1, ${orders} / 5) n`,
    `insert into resolutions
    select id, 10 * created_seq + 7, 'resolution-' || id, 'yes', 10000, 'It was so', 'tests', null, 10000, ${NEWEST_AT}
    from markets where phase = 'resolved' and created_seq < ${markets}`,
    `insert into signals
    select 10 * n + 9, 'signal-' || n, case when n % 50 > 0 then 'market-' || n % ${markets} end, 'wire', 'x-' || n, 'News',
      'https://example.com/' || n, ${NEWEST_AT}, null, case when n % 4 = 0 then 0.5 end, null, null, 0.5, 0, 10000, 10000,
      false, ${NEWEST_AT} from generate_series(1, ${orders} / 10) n`,
    `insert into book_levels
    select 'market-' || n, case when price < 5000 then 'bid' else 'ask' end, price, 10, 1
    from generate_series(0, ${markets - 1}) n, generate_series(100, 9900, 100) price`,
    `update checkpoint set seq = 10 * ${orders} + 9, at_ms = ${NEWEST_AT}`,
  ];
}
