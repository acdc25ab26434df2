import { PERMISSIONS } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { answer, computed, list, renamed, same, time, timeOrNull, units } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { RESERVED_NAMES } from '../look-alike.ts';
import { NAME_RULE, nameText } from '../name-text.ts';
import { count } from '../numbers.ts';
import { Amounts } from '../portfolio/portfolio.ts';
import { limitsOf, Mandate } from './mandate.ts';

const permission = z.enum(PERMISSIONS);

/** A display name. Command handlers refuse reserved names, not this schema, since some callers may give them. */
export const displayName = nameText(2, 24).meta({
  description: `${NAME_RULE} ${RESERVED_NAMES} Only operators' tokens without the scope \`accounts-own\` may give such names.`,
});

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

export const ApiKey = answer('ApiKey', {
  id: renamed(z.string(), 'keyId'),
  name: same(z.string()),
  permissions: same(permissions),
  last4: same(z.string().meta({ description: 'The last four characters of the raw key.' })),
  createdAt: time('createdAt'),
  revokedAt: timeOrNull('revokedAt'),
  lastUsedOn: same(
    z.iso.date().nullable().meta({
      description:
        'The UTC day on which the key was last used, known about a minute later; null where no use was noted yet.',
    }),
  ),
  mandate: limitsOf(Mandate.nullable().meta({ description: 'The limits of the key; null if it has none.' })),
});

/** A key of a fleet, with the account that the key belongs to. */
export const FleetKey = answer('FleetKey', {
  accountId: same(z.string().meta({ description: 'The account that the key is for: the primary or a sub-account.' })),
  ...ApiKey.fields,
});
/** The largest number of revoked keys on one page. */
export const REVOKED_KEYS_LIMIT = 100;
export const FleetKeyList = answer('FleetKeyList', { keys: list('keys', FleetKey) });

export const IssuedApiKey = z
  .strictObject({
    ...ApiKey.schema.shape,
    rawKey: z.string().optional().meta({
      description: 'The key itself, `svc_live_…`. It is shown only once; an idempotent replay leaves it out.',
    }),
  })
  .meta({ id: 'IssuedApiKey' });

export const SubAccount = answer('SubAccount', {
  id: renamed(z.string(), 'accountId'),
  displayName: same(z.string()),
  createdAt: time('createdAt'),
  permissions: same(permissions.meta({ description: 'The permissions of the first key.' })),
  keys: list('keys', ApiKey, 'The live keys, and the 3 last revoked keys with their revokedAt.'),
  cash: Amounts.fields.cash,
  portfolioValue: Amounts.fields.portfolioValue,
  pnl: Amounts.fields.pnl,
  closed: computed(
    z.boolean().optional().meta({ description: 'True once it is closed; left out while it is open.' }),
    ({ isClosed }: { readonly isClosed: boolean }) => isClosed || undefined,
  ),
});

export const SubAccountList = answer('SubAccountList', { subAccounts: list('subAccounts', SubAccount) });
export const CreatedSubAccount = z
  .strictObject({ subAccount: SubAccount.schema, apiKey: IssuedApiKey })
  .meta({ id: 'CreatedSubAccount' });
export const LimitedApiKey = z.strictObject({ key: ApiKey.schema }).meta({ id: 'LimitedApiKey' });
export const CreatedApiKey = z.strictObject({ apiKey: IssuedApiKey }).meta({ id: 'CreatedApiKey' });

export const Account = answer('Account', {
  id: same(z.string()),
  displayName: same(z.string()),
  createdAt: time('createdAt'),
  startingBalance: units('startingBalanceUnits'),
});
export const OpenedAccount = z
  .strictObject({ account: Account.schema, apiKey: IssuedApiKey })
  .meta({ id: 'OpenedAccount' });
export const ApprovedAccount = z.strictObject({ account: Account.schema }).meta({ id: 'ApprovedAccount' });
export const ClosedAccount = z
  .strictObject({
    account: Account.schema,
    revokedKeys: count.meta({ description: 'Keys of the account and its sub-accounts that were revoked.' }),
    cancelledOrders: count.meta({ description: 'Orders of the account and its sub-accounts that were cancelled.' }),
  })
  .meta({ id: 'ClosedAccount' });
export const ForgottenAccount = z
  .strictObject({
    account: Account.schema.meta({ description: 'Its displayName is `Trader` and the last six characters of its id.' }),
  })
  .meta({ id: 'ForgottenAccount' });

export type KeyView = ViewOf<typeof ApiKey>;
export type FleetKeyView = ViewOf<typeof FleetKey>;
export type SubAccountView = ViewOf<typeof SubAccount>;
export type ApiKeyBody = BodyOf<typeof ApiKey>;
export type FleetKeyBody = BodyOf<typeof FleetKey>;
export type SubAccountBody = BodyOf<typeof SubAccount>;
export type AccountBody = BodyOf<typeof Account>;
export type IssuedApiKeyBody = z.output<typeof IssuedApiKey>;
export type CreatedApiKeyBody = z.output<typeof CreatedApiKey>;
export type OpenedAccountBody = z.output<typeof OpenedAccount>;
export type ClosedAccountBody = z.output<typeof ClosedAccount>;

/** The answer to a request for a new key; `rawKey` is null when the request is repeated. */
export function issuedKeyBody(view: KeyView, rawKey: string | null): IssuedApiKeyBody {
  return rawKey === null ? ApiKey.body(view) : { ...ApiKey.body(view), rawKey };
}
