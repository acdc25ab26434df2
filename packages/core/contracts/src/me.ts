import { COMPLIANCE_MODES } from '@paper/exchange/vocabulary';
import type { ComplianceMode, Mandate as MandateView, Permission } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { permissions } from './account.ts';
import { Mandate, mandateBody } from './mandate.ts';
import { money } from './numbers.ts';
import { dollars } from './units.ts';

/** The account and the key behind a request. */
export const Me = z
  .strictObject({
    accountId: z.string(),
    displayName: z.string(),
    primaryAccountId: z.string().meta({ description: "The primary account of the fleet; a primary's own id." }),
    keyId: z.string(),
    keyName: z.string(),
    permissions,
    // A union and not .nullable(): on a named schema the generator would lose the null.
    mandate: z.union([Mandate, z.null()]).meta({ description: 'The limits of the key; null if it has none.' }),
    spentToday: money.meta({
      description:
        'Dollars that the buys of the key cost since 00:00 UTC, with what they reserved when they were placed; what spendPerDay limits.',
    }),
    complianceMode: z
      .enum(COMPLIANCE_MODES)
      .meta({ description: '`kyc`: orders of accounts that are not approved are refused.' }),
    approved: z.boolean().meta({ description: 'Whether the account may trade; true where no approval is required.' }),
  })
  .meta({ id: 'Me' });

export interface MeView {
  readonly accountId: string;
  readonly displayName: string;
  readonly primaryAccountId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly permissions: readonly Permission[];
  readonly mandate: MandateView | null;
  readonly spentTodayUnits: number;
  readonly complianceMode: ComplianceMode;
  readonly approved: boolean;
}

export function meBody(view: MeView): z.output<typeof Me> {
  const { spentTodayUnits, ...rest } = view;
  return {
    accountId: rest.accountId,
    displayName: rest.displayName,
    primaryAccountId: rest.primaryAccountId,
    keyId: rest.keyId,
    keyName: rest.keyName,
    permissions: [...rest.permissions],
    mandate: rest.mandate === null ? null : mandateBody(rest.mandate),
    spentToday: dollars(spentTodayUnits),
    complianceMode: rest.complianceMode,
    approved: rest.approved,
  };
}
