import { ApiRefusal } from '@paper/contracts';
import type { ApiClient, endpoints } from '@paper/contracts';
import type { Logger } from '@paper/service-kit';
import { DEMO_MARKETS } from './demo-markets.ts';
import type { DemoMarket } from './demo-markets.ts';

/**
 * Lists the demo's markets through the operator's API, and returns those that are listed. Runs at every start: a listed
 * market stays as it is, also after an operator changed it.
 * @throws ApiRefusal with 503 where one of them got that: all can be sent again.
 */
export async function seedMarkets(
  operator: Pick<ApiClient<typeof endpoints>, 'runOperatorBatch'>,
  logger: Logger,
): Promise<readonly DemoMarket[]> {
  const commands = DEMO_MARKETS.map((market) => ({ op: 'list-market' as const, ...market }));
  const { results } = (await operator.runOperatorBatch({ body: { commands } })).body;
  const unanswered = results.find((result) => !result.ok && result.status === 503);
  if (unanswered?.ok === false) throw new ApiRefusal(503, unanswered.code, unanswered.error);
  return DEMO_MARKETS.filter(({ id }, index) => {
    const result = results[index];
    const listed = result?.ok === true || result?.code === 'idempotency_conflict';
    if (!listed) logger.error({ market: id, result }, 'a market of the demo could not be listed');
    return listed;
  });
}
