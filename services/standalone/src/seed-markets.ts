import type { BatchAnswerBody } from '@paper/contracts';
import type { Logger } from '@paper/service-kit';
import type { ApiClient } from './api-client.ts';
import { DEMO_MARKETS } from './demo-markets.ts';

/**
 * Lists the demo's markets through the operator's API, and gives their ids. It is asked on every start: a market that
 * is listed already, also one that an operator has changed since, stays as it is.
 */
export async function seedMarkets(api: ApiClient, operatorToken: string, logger: Logger): Promise<readonly string[]> {
  const commands = DEMO_MARKETS.map((market) => ({ op: 'list-market', ...market }));
  const { results } = await api<BatchAnswerBody>({
    method: 'POST',
    path: '/api/operator/batch',
    token: operatorToken,
    body: { commands },
  });
  return DEMO_MARKETS.flatMap(({ id }, index) => {
    const result = results[index];
    if (result?.ok === true || result?.code === 'idempotency_conflict') return [id];
    logger.error({ market: id, result }, 'a market of the demo could not be listed');
    return [];
  });
}
