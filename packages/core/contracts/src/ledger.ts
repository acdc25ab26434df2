import { z } from 'zod';
import { outcome } from './market.ts';
import { count, difference, money } from './numbers.ts';
import { timestamp } from './text.ts';
import { dollars, dollarsOrNull, iso } from './units.ts';

const none = z.null();

/** The effect of one event on the cash of one account and on its shares of one outcome. */
export const LedgerEntry = z
  .strictObject({
    seq: count.meta({
      description: 'The journal sequence of the event. `GET /api/journal?from=` shows the whole event.',
    }),
    eventId: z.string(),
    type: z.enum(['AccountOpened', 'SubAccountOpened', 'OrderFilled', 'PositionSettled', 'SharesMerged']),
    createdAt: timestamp,
    accountId: z.string(),
    cash: money.meta({ description: 'Dollars that the account received; negative if it paid.' }),
    marketId: z.union([z.string(), none]),
    outcome: z.union([outcome, none]),
    shares: difference.meta({
      description: 'Shares of the outcome that the account received; negative if it gave them.',
    }),
    price: z.union([money, none]).meta({ description: 'Dollars a share; null if no share moved.' }),
    orderId: z
      .union([z.string(), none])
      .meta({ description: "The account's own order; null if no order caused the movement." }),
  })
  .meta({ id: 'LedgerEntry' });

export const Ledger = z.array(LedgerEntry);

export type LedgerEntryBody = z.output<typeof LedgerEntry>;

/** The columns of the ledger as CSV, in their order: the fields of an entry. */
export const LEDGER_COLUMNS = Object.keys(LedgerEntry.shape) as readonly (keyof LedgerEntryBody)[];

/** A movement, in units and milliseconds. */
export interface LedgerEntryView {
  readonly seq: number;
  readonly eventId: string;
  readonly type: LedgerEntryBody['type'];
  readonly at: number;
  readonly accountId: string;
  readonly cashUnits: number;
  readonly marketId: string | null;
  readonly outcome: 'yes' | 'no' | null;
  readonly shares: number;
  readonly priceUnits: number | null;
  readonly orderId: string | null;
}

export function ledgerEntryBody(view: LedgerEntryView): LedgerEntryBody {
  return {
    seq: view.seq,
    eventId: view.eventId,
    type: view.type,
    createdAt: iso(view.at),
    accountId: view.accountId,
    cash: dollars(view.cashUnits),
    marketId: view.marketId,
    outcome: view.outcome,
    shares: view.shares,
    price: dollarsOrNull(view.priceUnits),
    orderId: view.orderId,
  };
}
