import type { Mandate as MandateView } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { computed, namedObject } from '../answer.ts';
import { count } from '../numbers.ts';
import { text } from '../text.ts';
import { dollarsOrNull } from '../units.ts';

/** The most money that a limit may name: $1,000,000,000. */
const MONEY_MAX = 1_000_000_000;
const limit = z.number().min(0).max(MONEY_MAX).optional();

/** The limits of a key. An absent field sets no limit. */
export const Mandate = namedObject('Mandate', {
  maxOrderCost: limit.describe('The most dollars that one order may cost, with what it reserves.'),
  maxReserved: limit.describe('The most dollars that the account may have reserved after an order.'),
  maxShares: count
    .max(MONEY_MAX)
    .optional()
    .describe(
      'The most shares of an outcome that the account may hold after an order, with those that its resting buys would add.',
    ),
  spendPerDay: limit.describe(
    'The most dollars that the buys of the key may cost since 00:00 UTC, with what they reserved when they were placed. Nothing is given back when an order is cancelled.',
  ),
  marketIds: z
    .array(text(1))
    .max(100)
    .optional()
    .describe('The only markets in which the key may trade; an empty list permits none.'),
  reduceOnly: z.boolean().optional().describe('With true the key may only sell.'),
});

/** The body that sets a mandate; null removes it. */
export const MandateInput = Mandate.nullable().meta({ id: 'MandateInput' });

export type MandateBody = z.output<typeof Mandate>;

function mandateBody(view: MandateView): MandateBody {
  const { marketIds, maxShares, reduceOnly } = view;
  const limits = {
    maxOrderCost: dollarsOrNull(view.maxOrderCostUnits),
    maxReserved: dollarsOrNull(view.maxReservedUnits),
    maxShares,
    spendPerDay: dollarsOrNull(view.spendPerDayUnits),
    marketIds: marketIds === null ? null : [...marketIds],
    reduceOnly,
  };
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null));
}

/** A field with the mandate of a key; null without a mandate. */
export function limitsOf(schema: z.ZodType<MandateBody | null>) {
  return computed(schema, ({ mandate }: { readonly mandate: MandateView | null }) =>
    mandate === null ? null : mandateBody(mandate),
  );
}
