import { ApiError } from '@paper/contracts';
import { bodyOf } from '../keys/api.ts';
import type { Apis } from '../keys/api.ts';
import type { AccountRemoval } from './deletion.ts';

/** Closes accounts and deletes their names through the API, with the portal's operator token. */
export function removalBy(apis: Apis): AccountRemoval {
  return {
    close: (id) => unlessUnknown(bodyOf(apis.operator.call('closeAccount', { params: { id } }))),
    forget: (id) => unlessUnknown(bodyOf(apis.operator.call('forgetAccount', { params: { id } }))),
  };
}

/** Ignores unknown accounts: a restored backup of the portal may have accounts that the exchange lacks. */
async function unlessUnknown(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'account_not_found')) throw error;
  }
}
