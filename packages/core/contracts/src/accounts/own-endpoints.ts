import { defineEndpoint, withIds } from '../endpoint.ts';
import { Me, RenameAccountInput } from './me.ts';

export const ownAccountEndpoints = withIds({
  getMe: defineEndpoint({
    path: '/api/me',
    tag: 'Accounts',
    summary: 'Get the account and the key of this request',
    description: 'Which account the key belongs to, what the key may do, and what it has spent today.',
    auth: 'key',
    answer: Me.schema,
  }),
  renameAccount: defineEndpoint({
    method: 'patch',
    path: '/api/me',
    tag: 'Accounts',
    summary: "Change the account's display name",
    description:
      "Needs a primary account's key with the master permission, and changes the name of its own account; a sub-account's key is 403 `primary_account_required`. The name is shown from then on. A name can be changed once in 7 days, else 400 `limit_reached`. Reads of the past show the name of then. Former names are deleted with the account's other names. The answer is that of `GET /api/me`.",
    auth: 'key',
    permission: 'master',
    primaryOnly: true,
    idempotent: true,
    body: RenameAccountInput,
    answer: Me.schema,
    errors: ['limit_reached'],
  }),
});
