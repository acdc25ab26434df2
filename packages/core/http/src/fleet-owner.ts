import { ApiError } from '@paper/contracts';
import type { KeyCaller } from '@paper/contracts';

/**
 * Checks that a key may act for the whole fleet, beyond the permission that the endpoint needs.
 * @param needed the permissions that the key needs; `text` is the message for a key without one of them
 * @throws ApiError primary_account_required for a sub-account's key, forbidden for a key without the permissions.
 */
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
