import { TICK_UNITS } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { displayName, permissions } from '../accounts/account.ts';
import { answer, namedObject, objectAt, same, units } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { Market, outcome } from '../markets/market.ts';
import { count, fraction, price, startingBalance } from '../numbers.ts';
import { instantText, marketIdText, text } from '../text.ts';
import { dollars } from '../units.ts';
import { citationUrl, plainLines, plainText, sourceText } from './plain-text.ts';

const title = plainText(1, 300);
const description = plainLines(10_000);
const drivers = z.array(plainText(1, 60)).max(50);

export const ListMarketInput = namedObject('ListMarketInput', {
  id: marketIdText.optional().describe('The id of the market; generated if it is left out.'),
  title,
  ticker: plainText(1, 20),
  companySlug: plainText(1, 100),
  sector: plainText(1, 60),
  category: plainText(1, 60),
  settlementSource: plainText(1, 300),
  prior: price.describe('The probability before the first trade, to four decimals.'),
  closesAt: instantText.describe('The end of trading. It must be later than now, unless the status is `closed`.'),
  tickSize: z.union(TICK_UNITS.map((units) => z.literal(dollars(units)))).default(0.0001),
  companyImpact: fraction.default(0),
  drivers: drivers.default([]),
  description: description.optional(),
  citationUrl: citationUrl.optional(),
  status: z
    .enum(['active', 'pending', 'closed'])
    .default('active')
    .describe(
      '`active`: takes orders at once. `pending`: scheduled, takes orders after it is activated. `closed`: takes orders after it is activated, if closesAt is later than now.',
    ),
});

/** The request that lists a market; fields with a default may be left out. */
export type NewMarket = z.input<typeof ListMarketInput>;

export const AmendMarketInput = namedObject('AmendMarketInput', {
  title: title.optional(),
  closesAt: instantText.optional(),
  description: description.optional(),
  citationUrl: citationUrl.optional(),
  drivers: drivers.optional(),
  companyImpact: fraction.optional(),
});

export const ResolveMarketInput = namedObject('ResolveMarketInput', {
  outcome,
  headline: plainText(1, 300).optional(),
  source: sourceText.optional(),
  citationUrl: citationUrl.optional(),
});

export const VoidMarketInput = namedObject('VoidMarketInput', {
  reason: plainText(1, 300),
  price: fraction.describe('Dollars that a YES share pays, in steps of 0.0001; a NO share pays 1 minus it.'),
});

export const RecordSignalInput = namedObject('RecordSignalInput', {
  externalId: plainText(1, 200).describe('The id of the signal at its source.'),
  source: sourceText.describe('Who published the signal. Not `exchange`, in any case or look-alike.'),
  headline: plainText(1, 300),
  citationUrl,
  publishedAt: instantText.describe(
    'The time of publication, ISO 8601 with an offset; at most 24 hours after it is recorded.',
  ),
  event: plainText(1, 100).optional().describe('The kind of event that the signal reports, for timelines.'),
  marketId: text(1).optional().describe('The market that the signal is about. Left out: the whole platform.'),
  fairProb: fraction.optional().describe('The fair probability, according to the source.'),
  factValue: z.number().optional().describe('The figure that the signal reports.'),
  threshold: z.number().optional().describe('The figure that factValue is compared with.'),
  confidence: fraction.optional().describe('The confidence of the source in its fair probability.'),
  freshnessMs: count.optional().describe('The age of the signal in ms. Default: the time since publishedAt.'),
});

const ACCOUNT_ID_RULE = 'must be a UUID in lower case, such as 0b6a2f0e-6c1c-4c3e-9d2a-5f1f8f0f7a11';

export const OpenAccountInput = namedObject('OpenAccountInput', {
  id: z
    .uuid(ACCOUNT_ID_RULE)
    .lowercase(ACCOUNT_ID_RULE)
    .optional()
    .describe(
      'The id of the new account, a random UUID. Default: the service makes one. If an account has the id already, the answer is 400 `idempotency_conflict`, however long ago it was opened, but for a repeat with its Idempotency-Key: so a caller that never got an answer finds out, and issues a key.',
    ),
  displayName,
  startingBalance: startingBalance.describe('Dollars. Default: the STARTING_BALANCE setting of the service.'),
  permissions: permissions.default(['view', 'trade', 'master', 'reconcile']),
});

/** The request that opens an account; fields with a default may be left out. */
export type NewAccount = z.input<typeof OpenAccountInput>;

/** The settlement of a resolved or voided market. */
export const SettledMarket = answer('SettledMarket', {
  market: objectAt('market', Market),
  cancelledOrders: same(count),
  settledAccounts: same(count, 'The number of accounts that held shares.'),
  paid: units('paidUnits'),
});

export type SettledMarketBody = BodyOf<typeof SettledMarket>;
/** The totals of a market's settlement. */
export type SettlementView = Omit<ViewOf<typeof SettledMarket>, 'market'>;

export const RecordedSignal = namedObject('RecordedSignal', { id: z.string(), seq: count });
