import { PERMISSIONS } from '@paper/exchange/vocabulary';
import type { Permission } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import type { Mandate as MandateView } from '@paper/exchange/vocabulary';
import { Mandate, mandateBody } from './mandate.ts';
import { nameText } from './name-text.ts';
import { count, money } from './numbers.ts';
import { amountsBody } from './portfolio.ts';
import type { AmountsView } from './portfolio.ts';
import { timestamp } from './text.ts';
import { dollars, iso, isoOrNull } from './units.ts';

const permission = z.enum(PERMISSIONS);
export const displayName = nameText(2, 24);
export const permissions = z.array(permission);

export const CreateSubAccountInput = z
  .strictObject({
    displayName,
    permissions: permissions.optional().meta({
      description:
        "The permissions of the sub-account's first key. Default: view and trade, if the caller's key has them. master is refused.",
    }),
  })
  .meta({ id: 'CreateSubAccountInput' });

export const CreateApiKeyInput = z
  .strictObject({ name: nameText(1, 40), permissions: permissions.min(1) })
  .meta({ id: 'CreateApiKeyInput' });

const keyFields = {
  id: z.string(),
  name: z.string(),
  permissions,
  last4: z.string().meta({ description: 'The last four characters of the raw key.' }),
  createdAt: timestamp,
  revokedAt: timestamp.nullable(),
  mandate: Mandate.nullable().meta({ description: 'The limits of the key; null if it has none.' }),
};

export const ApiKey = z.strictObject(keyFields).meta({ id: 'ApiKey' });

/** A key of a fleet, with the account that the key belongs to. */
export const FleetKey = z
  .strictObject({
    accountId: z.string().meta({ description: 'The account that the key is for: the primary or a sub-account.' }),
    ...keyFields,
  })
  .meta({ id: 'FleetKey' });
/** The largest number of revoked keys on one page. */
export const REVOKED_KEYS_LIMIT = 100;
export const FleetKeyList = z.strictObject({ keys: z.array(FleetKey) }).meta({ id: 'FleetKeyList' });

export const IssuedApiKey = z
  .strictObject({
    ...keyFields,
    rawKey: z.string().optional().meta({
      description: 'The key itself, `svc_live_…`. It is shown only once; an idempotent replay leaves it out.',
    }),
  })
  .meta({ id: 'IssuedApiKey' });

export const SubAccount = z
  .strictObject({
    id: z.string(),
    displayName: z.string(),
    createdAt: timestamp,
    permissions: permissions.meta({ description: 'The permissions of the first key.' }),
    keys: z.array(ApiKey).meta({ description: 'The live keys, and the 3 last revoked keys with their revokedAt.' }),
    cash: money,
    portfolioValue: money,
    pnl: money,
  })
  .meta({ id: 'SubAccount' });

export const SubAccountList = z.strictObject({ subAccounts: z.array(SubAccount) }).meta({ id: 'SubAccountList' });
export const CreatedSubAccount = z
  .strictObject({ subAccount: SubAccount, apiKey: IssuedApiKey })
  .meta({ id: 'CreatedSubAccount' });
export const LimitedApiKey = z.strictObject({ key: ApiKey }).meta({ id: 'LimitedApiKey' });
export const CreatedApiKey = z.strictObject({ apiKey: IssuedApiKey }).meta({ id: 'CreatedApiKey' });

export const Account = z
  .strictObject({ id: z.string(), displayName: z.string(), createdAt: timestamp, startingBalance: money })
  .meta({ id: 'Account' });
export const OpenedAccount = z.strictObject({ account: Account, apiKey: IssuedApiKey }).meta({ id: 'OpenedAccount' });
export const ApprovedAccount = z.strictObject({ account: Account }).meta({ id: 'ApprovedAccount' });
export const ClosedAccount = z
  .strictObject({
    account: Account,
    revokedKeys: count.meta({ description: 'Keys of the account and its sub-accounts that were revoked.' }),
    cancelledOrders: count.meta({ description: 'Orders of the account and its sub-accounts that were cancelled.' }),
  })
  .meta({ id: 'ClosedAccount' });
export const ForgottenAccount = z
  .strictObject({
    account: Account.meta({ description: 'Its displayName is `Trader` and the last six characters of its id.' }),
  })
  .meta({ id: 'ForgottenAccount' });

export type ApiKeyBody = z.output<typeof ApiKey>;
export type FleetKeyBody = z.output<typeof FleetKey>;
export type IssuedApiKeyBody = z.output<typeof IssuedApiKey>;
export type CreatedApiKeyBody = z.output<typeof CreatedApiKey>;
export type OpenedAccountBody = z.output<typeof OpenedAccount>;
export type SubAccountBody = z.output<typeof SubAccount>;
export type ClosedAccountBody = z.output<typeof ClosedAccount>;
export type AccountBody = z.output<typeof Account>;

export interface KeyView {
  readonly keyId: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly last4: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  readonly mandate: MandateView | null;
}

export function keyBody(view: KeyView): ApiKeyBody {
  return {
    id: view.keyId,
    name: view.name,
    permissions: [...view.permissions],
    last4: view.last4,
    createdAt: iso(view.createdAt),
    revokedAt: isoOrNull(view.revokedAt),
    mandate: view.mandate === null ? null : mandateBody(view.mandate),
  };
}

export interface FleetKeyView extends KeyView {
  readonly accountId: string;
}

export function fleetKeyBody(view: FleetKeyView): FleetKeyBody {
  return { accountId: view.accountId, ...keyBody(view) };
}

/** The answer that issues a key; `rawKey` is null in a replay. */
export function issuedKeyBody(view: KeyView, rawKey: string | null): IssuedApiKeyBody {
  return rawKey === null ? keyBody(view) : { ...keyBody(view), rawKey };
}

export interface SubAccountView extends AmountsView {
  readonly accountId: string;
  readonly displayName: string;
  readonly createdAt: number;
  readonly permissions: readonly Permission[];
  readonly keys: readonly KeyView[];
}

export function subAccountBody(view: SubAccountView): SubAccountBody {
  const { cash, portfolioValue, pnl } = amountsBody(view);
  return {
    id: view.accountId,
    displayName: view.displayName,
    createdAt: iso(view.createdAt),
    permissions: [...view.permissions],
    keys: view.keys.map(keyBody),
    cash,
    portfolioValue,
    pnl,
  };
}

export interface AccountView {
  readonly id: string;
  readonly displayName: string;
  readonly createdAt: number;
  readonly startingBalanceUnits: number;
}

export function accountBody(view: AccountView): AccountBody {
  return {
    id: view.id,
    displayName: view.displayName,
    createdAt: iso(view.createdAt),
    startingBalance: dollars(view.startingBalanceUnits),
  };
}
