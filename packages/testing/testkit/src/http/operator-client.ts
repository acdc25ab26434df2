import type { CheckedClient } from './checked-client.ts';
import { marketBody } from './market-body.ts';

/** The operator calls that an end-to-end test makes before it trades. */
export interface OperatorClient {
  readonly open: (displayName: string, more?: object) => Promise<{ readonly id: string; readonly key: string }>;
  readonly list: (id: string, more?: object) => Promise<void>;
}

/** Creates the calls of an operator to the service of this client. */
export function operatorClient(client: CheckedClient, operatorToken: string): OperatorClient {
  return {
    async open(displayName, more = {}) {
      const { account, apiKey } = await client.ok<{ account: { id: string }; apiKey: { rawKey: string } }>(
        'POST',
        '/api/operator/accounts',
        { key: operatorToken, body: { displayName, ...more } },
      );
      return { id: account.id, key: apiKey.rawKey };
    },
    async list(id, more = {}) {
      await client.ok('POST', '/api/operator/markets', { key: operatorToken, body: marketBody(id, more) });
    },
  };
}
