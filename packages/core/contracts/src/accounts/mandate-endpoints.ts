import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { text } from '../text.ts';
import { LimitedApiKey } from './account.ts';
import { MandateInput } from './mandate.ts';

/** Endpoints of the limits of keys. */
export const mandateEndpoints = {
  setMandate: defineEndpoint({
    id: 'setMandate',
    method: 'put',
    path: '/api/accounts/keys/{keyId}/mandate',
    tag: 'Accounts',
    summary: 'Limit what a key may do',
    description:
      "Sets the limits of a key of the fleet, or removes them with the body `null`. They are enforced where orders are decided: an order that passes one is `mandate_exceeded`. Needs a primary account's key with the master permission, which has no mandate itself. Cancelling, and lowering a quantity at the same price, are always allowed. A maker who moves its quotes spends spendPerDay anew with each move.",
    auth: 'key',
    permission: 'master',
    primaryOnly: true,
    grantsRights: true,
    kind: 'command',
    params: z.object({ keyId: text(1).meta({ description: 'The id of the key, which is not the key itself.' }) }),
    body: MandateInput,
    answer: LimitedApiKey,
    errors: ['validation_failed', 'forbidden', 'primary_account_required'],
  }),
};
