import type { CheckedClient } from './checked-client.ts';
import { marketBody } from './market-body.ts';

export type OperatorClient = ReturnType<typeof operatorClient>;

/** The operator calls that an end-to-end test makes before it trades. */
export function operatorClient(client: CheckedClient, operatorToken: string) {
  return {
    open: async (displayName: string, more: object = {}) => {
      const { account, apiKey } = await client.ok<{ account: { id: string }; apiKey: { rawKey: string } }>(
        'POST',
        '/api/operator/accounts',
        { key: operatorToken, body: { displayName, ...more } },
      );
      return { id: account.id, key: apiKey.rawKey };
    },
    list: async (id: string, more: object = {}): Promise<void> => {
      await client.ok('POST', '/api/operator/markets', { key: operatorToken, body: marketBody(id, more) });
    },
  };
}
