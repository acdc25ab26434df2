import { COMPLIANCE_MODES } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { answer, namedObject, same, units } from '../answer.ts';
import type { BodyOf, ViewOf } from '../answer.ts';
import { DAY_MS } from '../units.ts';
import { displayName, permissions } from './account.ts';
import { limitsOf, Mandate } from './mandate.ts';

export const Me = answer('Me', {
  accountId: same(z.string()),
  displayName: same(z.string()),
  primaryAccountId: same(z.string(), "The primary account of the fleet; a primary's own id."),
  keyId: same(z.string()),
  keyName: same(z.string()),
  permissions: same(permissions),
  // A union instead of .nullable(): on a named schema the generator would lose the null.
  mandate: limitsOf(z.union([Mandate, z.null()]).describe('The limits of the key; null if it has none.')),
  spentToday: units(
    'spentTodayUnits',
    'Dollars that the buys of the key cost since 00:00 UTC, with what they reserved when they were placed; what spendPerDay limits.',
  ),
  complianceMode: same(z.enum(COMPLIANCE_MODES), '`kyc`: orders of accounts that are not approved are refused.'),
  approved: same(z.boolean(), 'Whether the account may trade; true where no approval is required.'),
});

export type MeView = ViewOf<typeof Me>;

/** A key's owner and limits, and its spending on its last day with spending (`spentDay`: days since 1970 UTC). */
export interface KeyHolder extends Omit<MeView, 'spentTodayUnits'> {
  readonly spentDay: number;
  readonly spentUnits: number;
}

/** The answer about a key and its account at this time. */
export function meBody({ spentDay, spentUnits, ...me }: KeyHolder, nowMs: number): BodyOf<typeof Me> {
  return Me.body({ ...me, spentTodayUnits: spentDay >= Math.floor(nowMs / DAY_MS) ? spentUnits : 0 });
}

export const RenameAccountInput = namedObject('RenameAccountInput', { displayName });
