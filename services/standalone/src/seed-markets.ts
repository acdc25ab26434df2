import type { BatchAnswerBody } from '@paper/contracts';
import type { Logger } from '@paper/service-kit';
import { Refused, type ApiClient } from './api-client.ts';
import { DEMO_MARKETS, type DemoMarket } from './demo-markets.ts';

/**
 * Lists the demo's markets through the operator's API, and returns those that are listed. Runs at every start: a listed
 * market stays as it is, also after an operator changed it.
 * @throws Refused with 503 where one of them got that: all can be sent again.
 */
export async function seedMarkets(
  api: ApiClient,
  operatorToken: string,
  logger: Logger,
): Promise<readonly DemoMarket[]> {
  const commands = DEMO_MARKETS.map((market) => ({ op: 'list-market', ...market }));
  const { results } = await api<BatchAnswerBody>({
    method: 'POST',
    path: '/api/operator/batch',
    token: operatorToken,
    body: { commands },
  });
  const unanswered = results.find((result) => !result.ok && result.status === 503);
  if (unanswered?.ok === false) throw new Refused(503, unanswered.code, unanswered.error);
  return DEMO_MARKETS.filter(({ id }, index) => {
    const result = results[index];
    const listed = result?.ok === true || result?.code === 'idempotency_conflict';
    if (!listed) logger.error({ market: id, result }, 'a market of the demo could not be listed');
    return listed;
  });
}
