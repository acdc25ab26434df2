import { z } from 'zod';
import { PmxtError } from './errors.ts';

/** The arguments of pmxt's methods. In a query every value is text. */

const digits = z.string().regex(/^\d{1,9}$/);
const count = z.union([z.int().min(0), digits.transform(Number)]);

/** A time: ISO 8601 (the JSON form of a Date), or ms since 1970. */
const time = z.union([z.number(), z.string()]).transform((value, context) => {
  const ms = typeof value === 'number' || /^\d+$/.test(value) ? Number(value) : Date.parse(value);
  if (!Number.isNaN(ms) && Math.abs(ms) < 8e15) return new Date(ms).toISOString();
  context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time, or ms since 1970' });
  return z.NEVER;
});

const id = z.string().min(1);

export const marketParams = z
  .strictObject({
    marketId: id.optional(),
    outcomeId: id.optional(),
    eventId: id.optional(),
    slug: id.optional(),
    query: z.string().max(100).optional(),
    status: z.enum(['active', 'inactive', 'closed', 'all']).optional(),
    sort: z.enum(['volume', 'liquidity', 'newest']).optional(),
    category: z.string().optional(),
    limit: count.optional(),
    offset: count.optional(),
    // The search always covers the whole title, whatever this says.
    searchIn: z.enum(['title', 'description', 'both']).optional(),
  })
  .default({});

export const pagedMarketParams = z.strictObject({ limit: count.optional(), cursor: id.optional() }).default({});

export const candleParams = z.strictObject({
  // pmxtjs also sends the outcome of a GET under this name.
  id: id.optional(),
  resolution: z.enum(['1m', '5m', '15m', '1h', '1d']),
  start: time.optional(),
  end: time.optional(),
  limit: count.optional(),
});

export const tradeParams = z
  .strictObject({
    id: id.optional(),
    start: time.optional(),
    end: time.optional(),
    limit: count.optional(),
    // The interval of candles, under an older name that pmxtjs still sends.
    resolution: z.string().optional(),
  })
  .default({});

export const historyParams = z
  .strictObject({
    outcomeId: id.optional(),
    marketId: id.optional(),
    since: time.optional(),
    until: time.optional(),
    limit: count.optional(),
  })
  .default({});

export const orderParams = z.strictObject({
  marketId: id.optional(),
  outcomeId: id,
  side: z.enum(['buy', 'sell']),
  type: z.enum(['market', 'limit']),
  amount: z.number(),
  price: z.number().optional(),
  // Parameters of other venues. They are ignored: there are no fees here, and the tick is the market's.
  fee: z.number().optional(),
  tickSize: z.number().optional(),
  negRisk: z.boolean().optional(),
});

export const builtOrder = z.looseObject({ params: orderParams });

export const text = id;
export const optionalText = id.optional();

const level = z.looseObject({ price: z.number(), size: z.number() });
export const shownBook = z.looseObject({ bids: z.array(level), asks: z.array(level) });
export const side = z.enum(['buy', 'sell']);
export const amount = z.number().positive();

/** Parses an argument; null counts as missing. @throws PmxtError VALIDATION_ERROR, whose message begins with `name` */
export function checked<S extends z.ZodType>(schema: S, name: string, value: unknown): z.output<S> {
  const result = schema.safeParse(value ?? undefined);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = [name, ...(issue?.path ?? [])].join('.');
  throw new PmxtError('VALIDATION_ERROR', `${field}: ${issue?.message ?? 'is not valid'}`);
}
