import { ApiError } from '@paper/contracts';
import { bodyOf } from '../keys/api.ts';
import type { Apis } from '../keys/api.ts';
import type { AccountRemoval } from './deletion.ts';

/** Closes accounts and forgets their names by the API, with the portal's operator token. */
export function removalBy(apis: Apis): AccountRemoval {
  return {
    close: (id) => unlessUnknown(bodyOf(apis.operator.call('closeAccount', { params: { id } }))),
    forget: (id) => unlessUnknown(bodyOf(apis.operator.call('forgetAccount', { params: { id } }))),
  };
}

/** A restored backup of the portal may know accounts that the exchange does not. */
async function unlessUnknown(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'account_not_found')) throw error;
  }
}
