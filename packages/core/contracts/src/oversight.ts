import { z } from 'zod';
import { Account, accountBody } from './account.ts';
import type { AccountView } from './account.ts';
import { count, money } from './numbers.ts';
import { timestamp } from './text.ts';
import { dollars, iso } from './units.ts';

/** Reads for those who run the exchange: who is paid by a settlement, who waits, and what looks like an abuse. */

const party = {
  accountId: z.string(),
  displayName: z.string(),
};

export const MarketHolders = z
  .strictObject({
    marketId: z.string(),
    accounts: count.meta({ description: 'The number of accounts that hold shares.' }),
    yesShares: count.meta({ description: 'The YES shares of all accounts; each has its NO share.' }),
    noShares: count,
    holders: z
      .array(z.strictObject({ ...party, yesShares: count, noShares: count }))
      .meta({ description: 'The accounts with the most shares, most first.' }),
  })
  .meta({ id: 'MarketHolders' });

export type MarketHoldersBody = z.output<typeof MarketHolders>;

export const ListedAccount = z
  .strictObject({
    ...Account.shape,
    approved: z
      .boolean()
      .meta({ description: 'Whether the account may trade; true for all where nothing is approved.' }),
    closed: z.boolean().meta({ description: 'Whether the account is closed: it has no keys and no orders any more.' }),
  })
  .meta({ id: 'ListedAccount' });

export type ListedAccountBody = z.output<typeof ListedAccount>;

export interface ListedAccountView extends AccountView {
  readonly approved: boolean;
  readonly closed: boolean;
}

export function listedAccountBody(view: ListedAccountView): ListedAccountBody {
  return { ...accountBody(view), approved: view.approved, closed: view.closed };
}

const side = z.strictObject(party);

export const OneSidedTransfer = z
  .strictObject({
    from: side.meta({ description: 'The account that lost.' }),
    to: side.meta({ description: 'The account that gained.' }),
    amount: money.meta({
      description: 'What the trades between the two have moved to the one that gained, in dollars.',
    }),
    trades: count,
    shares: count,
    lastTradeAt: timestamp,
  })
  .meta({ id: 'OneSidedTransfer' });

export type OneSidedTransferBody = z.output<typeof OneSidedTransfer>;

/** Two accounts and what their trades with each other have moved, in half units. */
export interface OneSidedTransferView {
  readonly from: { readonly accountId: string; readonly displayName: string };
  readonly to: { readonly accountId: string; readonly displayName: string };
  readonly amountHalfUnits: number;
  readonly trades: number;
  readonly shares: number;
  readonly lastTradeAt: number;
}

export function oneSidedTransferBody(view: OneSidedTransferView): OneSidedTransferBody {
  const { amountHalfUnits, lastTradeAt, ...rest } = view;
  return { ...rest, amount: dollars(Math.round(amountHalfUnits / 2)), lastTradeAt: iso(lastTradeAt) };
}

export const RebuildStatus = z
  .strictObject({
    version: count.meta({ description: 'The version of the read models that this service reads.' }),
    running: z.boolean().meta({ description: 'Whether a rebuild is at work now.' }),
    schemas: z.array(
      z.strictObject({
        schema: z.string(),
        version: count,
        status: z.enum(['active', 'filling', 'former']).meta({
          description:
            '`active`: is read. `filling`: a rebuild fills it, or was cut off. `former`: was active, and can serve again.',
        }),
        seq: count.meta({ description: 'The sequence that it has reached.' }),
        bytes: count.meta({ description: 'Its size on disk, with its indexes.' }),
      }),
    ),
  })
  .meta({ id: 'RebuildStatus' });

export type RebuildStatusBody = z.output<typeof RebuildStatus>;
