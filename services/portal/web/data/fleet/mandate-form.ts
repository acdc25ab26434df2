import type { MandateBody } from '@paper/contracts/accounts';
import { countText, priceText } from '../../ui/format.ts';

const LIMITS = {
  maxOrderCost: { label: 'Cost of one order', hint: 'Dollars, with what the order reserves.', isMoney: true },
  maxReserved: { label: 'Reserved in all', hint: 'Dollars that open orders may reserve.', isMoney: true },
  maxShares: { label: 'Shares of an outcome', hint: 'Held, with those that resting buys add.', isMoney: false },
  spendPerDay: {
    label: 'Spent in a day',
    hint: 'Dollars since 00:00 UTC. Cancelling gives nothing back.',
    isMoney: true,
  },
};

type NumberField = keyof typeof LIMITS;

/** The limits of a key, in the order in which the exchange checks them. */
export const NUMBER_FIELDS = Object.entries(LIMITS).map(([name, limit]) => ({ name: name as NumberField, ...limit }));

/** The fields of the form, as typed. An empty text means no limit. */
export interface MandateFields extends Readonly<Record<NumberField, string>> {
  readonly onlyMarkets: boolean;
  /** Ids, with commas or white space between them. */
  readonly marketIds: string;
  readonly reduceOnly: boolean;
}

export const MANDATE_FIELDS = ['maxOrderCost', 'maxReserved', 'maxShares', 'spendPerDay', 'marketIds'] as const;

export type MandateErrors = Partial<Record<(typeof MANDATE_FIELDS)[number], string>>;

const MONEY = /^\d+(\.\d{1,4})?$/;
const SHARES = /^\d+$/;
const MONEY_RULE = 'Write dollars with at most four decimals, such as 25 or 0.5.';
const SHARES_RULE = 'Write a whole number.';

export function fieldsOf({ marketIds, reduceOnly = false, ...limits }: MandateBody): MandateFields {
  const texts = NUMBER_FIELDS.map(({ name }) => [name, limits[name]?.toString() ?? ''] as const);
  return {
    ...(Object.fromEntries(texts) as Record<NumberField, string>),
    onlyMarkets: marketIds !== undefined,
    marketIds: marketIds?.join('\n') ?? '',
    reduceOnly,
  };
}

/** The limits in the form, with its faults. The service checks bounds; this finds only what JSON cannot express. */
export function readMandate(fields: MandateFields) {
  const mandate: MandateBody = {};
  const errors: MandateErrors = {};
  for (const { name, isMoney } of NUMBER_FIELDS) {
    const typed = fields[name].trim();
    if (typed === '') continue;
    if ((isMoney ? MONEY : SHARES).test(typed)) mandate[name] = Number(typed);
    else errors[name] = isMoney ? MONEY_RULE : SHARES_RULE;
  }
  if (fields.onlyMarkets) mandate.marketIds = fields.marketIds.split(/[\s,]+/).filter((id) => id !== '');
  if (fields.reduceOnly) mandate.reduceOnly = true;
  return { mandate, errors };
}

const dollars = (amount: number): string => `$${priceText(amount)}`;

/** A key's limits as short phrases. Limits without any entry still forbid some commands (docs/trade/order-tools.md). */
export function mandateSummary(mandate: MandateBody): readonly string[] {
  const { maxOrderCost, maxReserved, maxShares, spendPerDay, marketIds, reduceOnly } = mandate;
  const limits = [
    maxOrderCost === undefined ? null : `${dollars(maxOrderCost)} an order`,
    maxReserved === undefined ? null : `${dollars(maxReserved)} reserved`,
    maxShares === undefined ? null : `${countText(maxShares)} shares of an outcome`,
    spendPerDay === undefined ? null : `${dollars(spendPerDay)} a day`,
    marketIds === undefined ? null : marketsPhrase(marketIds.length),
    reduceOnly === true ? 'sells only' : null,
  ].filter((phrase) => phrase !== null);
  return limits.length > 0 ? limits : ['no limits set'];
}

function marketsPhrase(count: number): string {
  if (count === 0) return 'no market';
  return count === 1 ? '1 market only' : `${count} markets only`;
}
