import { z } from 'zod';
import { Account } from '../accounts/account.ts';
import { answer, computed, namedObject, objectAt, same, time } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { count, money } from '../numbers.ts';
import { dollars } from '../units.ts';

/** Answers for the exchange's operators: whom a settlement pays, which accounts wait, and what looks like an abuse. */

const Party = answer(null, { accountId: same(z.string()), displayName: same(z.string()) });

export const MarketHolders = namedObject('MarketHolders', {
  marketId: z.string(),
  accounts: count.describe('The number of accounts that hold shares.'),
  yesShares: count.describe('The YES shares of all accounts; each has its NO share.'),
  noShares: count,
  holders: z
    .array(z.strictObject({ ...Party.schema.shape, yesShares: count, noShares: count }))
    .describe('The accounts with the most shares, most first.'),
});

export type MarketHoldersBody = z.output<typeof MarketHolders>;

export const ListedAccount = answer('ListedAccount', {
  ...Account.fields,
  approved: same(z.boolean(), 'Whether the account may trade; true for all where nothing is approved.'),
  closed: same(z.boolean(), 'Whether the account is closed: it has no keys and no orders any more.'),
});

export type ListedAccountBody = BodyOf<typeof ListedAccount>;
export type ListedAccountView = ViewOf<typeof ListedAccount>;

/** Two accounts and the money that their trades with each other have moved. */
export const OneSidedTransfer = answer('OneSidedTransfer', {
  from: objectAt('from', Party, 'The account that lost.'),
  to: objectAt('to', Party, 'The account that gained.'),
  trades: same(count),
  shares: same(count),
  amount: computed(
    money.describe('What the trades between the two have moved to the one that gained, in dollars.'),
    ({ amountHalfUnits }: { readonly amountHalfUnits: number }) => dollars(Math.round(amountHalfUnits / 2)),
  ),
  lastTradeAt: time('lastTradeAt'),
});

export type OneSidedTransferBody = BodyOf<typeof OneSidedTransfer>;
export type OneSidedTransferView = ViewOf<typeof OneSidedTransfer>;

export const RebuildStatus = namedObject('RebuildStatus', {
  version: count.describe('The version of the read models that this service reads.'),
  running: z.boolean().describe('Whether a rebuild is at work now.'),
  schemas: z.array(
    z.strictObject({
      schema: z.string(),
      version: count,
      status: z
        .enum(['active', 'filling', 'former'])
        .describe(
          '`active`: is read. `filling`: a rebuild fills it, or was cut off. `former`: was active, and can serve again.',
        ),
      seq: count.describe('The sequence that it has reached.'),
      bytes: count.describe('Its size on disk, with its indexes.'),
    }),
  ),
});

export type RebuildStatusBody = z.output<typeof RebuildStatus>;
