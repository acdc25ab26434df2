import { ApiError } from '@paper/contracts';
import type { KeyCaller } from '@paper/contracts';

/**
 * Checks that a key may act for the whole fleet, beyond the permission that the endpoint needs.
 * @throws ApiError primary_account_required for a sub-account's key, forbidden for one without `master`.
 */
export function assertOwnsFleet({ primaryAccountId, permissions }: KeyCaller): void {
  if (primaryAccountId !== null) {
    throw new ApiError('primary_account_required', 'Switch to your primary account to do this');
  }
  if (!permissions.includes('master')) throw new ApiError('forbidden', 'Forbidden');
}
