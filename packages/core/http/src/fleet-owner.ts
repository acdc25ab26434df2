import { ApiError } from '@paper/contracts';
import type { KeyCaller } from '@paper/contracts';

/** Throws ApiError primary_account_required for a sub-account's key, forbidden for one without the permissions. */
export function assertOwnsFleet(
  { primaryAccountId, permissions }: KeyCaller,
  needed: KeyCaller['permissions'] = ['master'],
  text = 'Forbidden',
): void {
  if (primaryAccountId !== null) {
    throw new ApiError('primary_account_required', 'Switch to your primary account to do this');
  }
  if (!needed.every((one) => permissions.includes(one))) throw new ApiError('forbidden', text);
}
