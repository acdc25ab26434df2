import { refusalOf } from '@paper/contracts';
import type { Apis } from '../keys/api.ts';
import type { AccountRemoval } from './deletion.ts';

/** Closes accounts and forgets their names by the API, with the portal's operator token. */
export function removalBy(apis: Apis): AccountRemoval {
  const call = async (accountId: string, command: 'close' | 'forget'): Promise<void> => {
    const path = `/api/operator/accounts/${encodeURIComponent(accountId)}/${command}`;
    const answer = await apis.sendAsOperator('POST', path);
    if (answer.status === 200) return;
    const refusal = refusalOf(`POST ${path}`, answer);
    // A restored backup of the portal may know accounts that the exchange does not.
    if (refusal.code !== 'account_not_found') throw refusal;
  };
  return {
    close: (accountId) => call(accountId, 'close'),
    forget: (accountId) => call(accountId, 'forget'),
  };
}
