import { PERMISSIONS } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { answer, computed, list, namedObject, renamed, same, time, timeOrNull, units } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { RESERVED_NAMES } from '../look-alike.ts';
import { NAME_RULE, nameText } from '../name-text.ts';
import { count } from '../numbers.ts';
import { Amounts } from '../portfolio/portfolio.ts';
import { limitsOf, Mandate } from './mandate.ts';

const permission = z.enum(PERMISSIONS);

/** A display name. Command handlers refuse reserved names, not this schema, since some callers may give them. */
export const displayName = nameText(2, 24).describe(
  `${NAME_RULE} ${RESERVED_NAMES} Only operators' tokens without the scope \`accounts-own\` may give such names.`,
);

export const permissions = z.array(permission);

export const CreateSubAccountInput = namedObject('CreateSubAccountInput', {
  displayName,
  permissions: permissions
    .optional()
    .describe(
      "The permissions of the sub-account's first key. Default: view and trade, if the caller's key has them. master is refused.",
    ),
});

export const CreateApiKeyInput = namedObject('CreateApiKeyInput', {
  name: nameText(1, 40),
  permissions: permissions.min(1),
});

export const ApiKey = answer('ApiKey', {
  id: renamed(z.string(), 'keyId'),
  name: same(z.string()),
  permissions: same(permissions),
  last4: same(z.string(), 'The last four characters of the raw key.'),
  createdAt: time('createdAt'),
  revokedAt: timeOrNull('revokedAt'),
  lastUsedOn: same(
    z.iso.date().nullable(),
    'The UTC day on which the key was last used, known about a minute later; null where no use was noted yet.',
  ),
  mandate: limitsOf(Mandate.nullable().describe('The limits of the key; null if it has none.')),
});

/** A key of a fleet, with the account that the key belongs to. */
export const FleetKey = answer('FleetKey', {
  accountId: same(z.string(), 'The account that the key is for: the primary or a sub-account.'),
  ...ApiKey.fields,
});
export const REVOKED_KEYS_LIMIT = 100;
export const FleetKeyList = answer('FleetKeyList', { keys: list('keys', FleetKey) });

export const IssuedApiKey = namedObject('IssuedApiKey', {
  ...ApiKey.schema.shape,
  rawKey: z
    .string()
    .optional()
    .describe('The key itself, `svc_live_…`. It is shown only once; an idempotent replay leaves it out.'),
});

export const SubAccount = answer('SubAccount', {
  id: renamed(z.string(), 'accountId'),
  displayName: same(z.string()),
  createdAt: time('createdAt'),
  permissions: same(permissions, 'The permissions of the first key.'),
  keys: list('keys', ApiKey, 'The live keys, and the 3 last revoked keys with their revokedAt.'),
  cash: Amounts.fields.cash,
  portfolioValue: Amounts.fields.portfolioValue,
  pnl: Amounts.fields.pnl,
  closed: computed(
    z.boolean().optional().describe('True once it is closed; left out while it is open.'),
    ({ isClosed }: { readonly isClosed: boolean }) => isClosed || undefined,
  ),
});

export const SubAccountList = answer('SubAccountList', { subAccounts: list('subAccounts', SubAccount) });
export const CreatedSubAccount = namedObject('CreatedSubAccount', {
  subAccount: SubAccount.schema,
  apiKey: IssuedApiKey,
});
export const LimitedApiKey = namedObject('LimitedApiKey', { key: ApiKey.schema });
export const CreatedApiKey = namedObject('CreatedApiKey', { apiKey: IssuedApiKey });

export const Account = answer('Account', {
  id: same(z.string()),
  displayName: same(z.string()),
  createdAt: time('createdAt'),
  startingBalance: units('startingBalanceUnits'),
});
export const OpenedAccount = namedObject('OpenedAccount', { account: Account.schema, apiKey: IssuedApiKey });
export const ApprovedAccount = namedObject('ApprovedAccount', { account: Account.schema });
export const ClosedAccount = namedObject('ClosedAccount', {
  account: Account.schema,
  revokedKeys: count.describe('Keys of the account and its sub-accounts that were revoked.'),
  cancelledOrders: count.describe('Orders of the account and its sub-accounts that were cancelled.'),
});
export const ForgottenAccount = namedObject('ForgottenAccount', {
  account: Account.schema.describe('Its displayName is `Trader` and the last six characters of its id.'),
});

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
