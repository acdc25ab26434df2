import { z } from 'zod';
import { answer, computed, same, time, units } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { outcome } from '../markets/market.ts';
import { count, difference, money } from '../numbers.ts';
import { dollarsOrNull } from '../units.ts';

const none = z.null();

/** The effect of one event on the cash of one account and on its shares of one outcome. */
export const LedgerEntry = answer('LedgerEntry', {
  seq: same(count, 'The journal sequence of the event. `GET /api/journal?from=` shows the whole event.'),
  eventId: same(z.string()),
  type: same(z.enum(['AccountOpened', 'SubAccountOpened', 'OrderFilled', 'PositionSettled', 'SharesMerged'])),
  createdAt: time('at'),
  accountId: same(z.string()),
  cash: units('cashUnits', 'Dollars that the account received; negative if it paid.'),
  marketId: same(z.union([z.string(), none])),
  outcome: same(z.union([outcome, none])),
  shares: same(difference, 'Shares of the outcome that the account received; negative if it gave them.'),
  price: computed(
    z.union([money, none]).describe('Dollars a share; null if no share moved.'),
    ({ priceUnits }: { readonly priceUnits: number | null }) => dollarsOrNull(priceUnits),
  ),
  orderId: same(z.union([z.string(), none]), "The account's own order; null if no order caused the movement."),
});

export type LedgerEntryView = ViewOf<typeof LedgerEntry>;
export type LedgerEntryBody = BodyOf<typeof LedgerEntry>;

export const Ledger = z.array(LedgerEntry.schema);

/** The columns of the ledger as CSV, in their order: the fields of an entry. */
export const LEDGER_COLUMNS = Object.keys(LedgerEntry.fields) as readonly (keyof LedgerEntryBody)[];
