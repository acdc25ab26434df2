import { PERMISSIONS } from './vocabulary.ts';
import type { Permission } from './vocabulary.ts';

/** Rights as bits. */
export const VIEW = 1;
export const TRADE = 2;
export const MASTER = 4;
export const RECONCILE = 8;

const BITS: Readonly<Record<Permission, number>> = { view: VIEW, trade: TRADE, master: MASTER, reconcile: RECONCILE };

/** The rights of a list of permissions, as bits. Trade implies view; master does not imply trade. */
export function rightsOf(permissions: readonly Permission[]): number {
  let rights = 0;
  for (const permission of permissions) rights |= BITS[permission];
  return (rights & TRADE) !== 0 ? rights | VIEW : rights;
}

/** The list without duplicates, in the specification's order. */
export function canonicalPermissions(permissions: readonly Permission[]): readonly Permission[] {
  return PERMISSIONS.filter((permission) => permissions.includes(permission));
}

/** The default permissions of a sub-account's key: view and trade, as far as the issuing key has them. */
export function defaultSubPermissions(makerRights: number): readonly Permission[] {
  return PERMISSIONS.filter((permission) => (BITS[permission] & makerRights & (VIEW | TRADE)) !== 0);
}
