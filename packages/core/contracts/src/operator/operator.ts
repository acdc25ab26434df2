import { TICK_UNITS } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { displayName, permissions } from '../accounts/account.ts';
import { answer, inner, same, units } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { Market, outcome } from '../markets/market.ts';
import { count, fraction, price } from '../numbers.ts';
import { instantText, marketIdText, text } from '../text.ts';
import { dollars } from '../units.ts';
import { citationUrl, plainLines, plainText, sourceText } from './plain-text.ts';

const title = plainText(1, 300);
const description = plainLines(10_000);
const drivers = z.array(plainText(1, 60)).max(50);

export const ListMarketInput = z
  .strictObject({
    id: marketIdText.optional().meta({ description: 'The id of the market; generated if it is left out.' }),
    title,
    ticker: plainText(1, 20),
    companySlug: plainText(1, 100),
    sector: plainText(1, 60),
    category: plainText(1, 60),
    settlementSource: plainText(1, 300),
    prior: price.meta({ description: 'The probability before the first trade, to four decimals.' }),
    closesAt: instantText.meta({
      description: 'The end of trading. It must be later than now, unless the status is `closed`.',
    }),
    tickSize: z.union(TICK_UNITS.map((units) => z.literal(dollars(units)))).default(0.0001),
    companyImpact: fraction.default(0),
    drivers: drivers.default([]),
    description: description.optional(),
    citationUrl: citationUrl.optional(),
    status: z.enum(['active', 'pending', 'closed']).default('active').meta({
      description:
        '`active`: takes orders at once. `pending`: scheduled, takes orders after it is activated. `closed`: takes orders after it is activated, if closesAt is later than now.',
    }),
  })
  .meta({ id: 'ListMarketInput' });

/** The request that lists a market; fields with a default may be left out. */
export type NewMarket = z.input<typeof ListMarketInput>;

export const AmendMarketInput = z
  .strictObject({
    title: title.optional(),
    closesAt: instantText.optional(),
    description: description.optional(),
    citationUrl: citationUrl.optional(),
    drivers: drivers.optional(),
    companyImpact: fraction.optional(),
  })
  .meta({ id: 'AmendMarketInput' });

export const ResolveMarketInput = z
  .strictObject({
    outcome,
    headline: plainText(1, 300).optional(),
    source: sourceText.optional(),
    citationUrl: citationUrl.optional(),
  })
  .meta({ id: 'ResolveMarketInput' });

export const VoidMarketInput = z
  .strictObject({
    reason: plainText(1, 300),
    price: fraction.meta({
      description: 'Dollars that a YES share pays, in steps of 0.0001; a NO share pays 1 minus it.',
    }),
  })
  .meta({ id: 'VoidMarketInput' });

export const RecordSignalInput = z
  .strictObject({
    externalId: plainText(1, 200).meta({ description: 'The id of the signal at its source.' }),
    source: sourceText.meta({ description: 'Who published the signal. Not `exchange`, in any case or look-alike.' }),
    headline: plainText(1, 300),
    citationUrl,
    publishedAt: instantText.meta({
      description: 'The time of publication, ISO 8601 with an offset; at most 24 hours after it is recorded.',
    }),
    event: plainText(1, 100)
      .optional()
      .meta({ description: 'The kind of event that the signal reports, for timelines.' }),
    marketId: text(1)
      .optional()
      .meta({ description: 'The market that the signal is about. Left out: the whole platform.' }),
    fairProb: fraction.optional().meta({ description: 'The fair probability, according to the source.' }),
    factValue: z.number().optional().meta({ description: 'The figure that the signal reports.' }),
    threshold: z.number().optional().meta({ description: 'The figure that factValue is compared with.' }),
    confidence: fraction.optional().meta({ description: 'The confidence of the source in its fair probability.' }),
    freshnessMs: count
      .optional()
      .meta({ description: 'The age of the signal in ms. Default: the time since publishedAt.' }),
  })
  .meta({ id: 'RecordSignalInput' });

export const OpenAccountInput = z
  .strictObject({
    id: z
      .uuid('must be a UUID in lower case, such as 0b6a2f0e-6c1c-4c3e-9d2a-5f1f8f0f7a11')
      .lowercase('must be a UUID in lower case, such as 0b6a2f0e-6c1c-4c3e-9d2a-5f1f8f0f7a11')
      .optional()
      .meta({
        description:
          'The id of the new account, a random UUID. Default: the service makes one. If an account has the id already, the answer is 400 `idempotency_conflict`, however long ago it was opened, but for a repeat with its Idempotency-Key: so a caller that never got an answer finds out, and issues a key.',
      }),
    displayName,
    startingBalance: z
      .number()
      .min(1)
      .max(10_000_000)
      .optional()
      .meta({ description: 'Dollars. Default: the STARTING_BALANCE setting of the service.' }),
    permissions: permissions.default(['view', 'trade', 'master', 'reconcile']),
  })
  .meta({ id: 'OpenAccountInput' });

/** The request that opens an account; fields with a default may be left out. */
export type NewAccount = z.input<typeof OpenAccountInput>;

/** The settlement of a resolved or voided market. */
export const SettledMarket = answer('SettledMarket', {
  market: inner('market', Market),
  cancelledOrders: same(count),
  settledAccounts: same(count.meta({ description: 'The number of accounts that held shares.' })),
  paid: units('paidUnits'),
});

export type SettledMarketBody = BodyOf<typeof SettledMarket>;
/** The totals of a market's settlement. */
export type SettlementView = Omit<ViewOf<typeof SettledMarket>, 'market'>;

export const RecordedSignal = z.strictObject({ id: z.string(), seq: count }).meta({ id: 'RecordedSignal' });
