import type { Logger } from '@paper/runtime';
import { ApiRefusal } from 'paper-trading-client';
import type { Requests } from 'paper-trading-client';
import { DEMO_MARKETS } from './demo-markets.ts';

/**
 * Lists the demo's markets, and returns those that are listed. Runs at every start, and does not change a listed
 * market. Throws ApiRefusal 503 if a market was answered so: all can be sent again.
 */
export async function seedMarkets(operator: Requests<'runOperatorBatch'>, logger: Logger, nowMs: number) {
  const commands = DEMO_MARKETS.map((market) => ({
    op: 'list-market' as const,
    ...market,
    ...(Date.parse(market.closesAt) <= nowMs ? { status: 'closed' as const } : {}),
  }));
  const answer = await operator.request('runOperatorBatch', { body: { commands } });
  const { results } = answer.body;
  const unanswered = results.find((result) => !result.ok && result.status === 503);
  if (unanswered?.ok === false) throw new ApiRefusal(answer.request, 503, unanswered.code, unanswered.error);
  return DEMO_MARKETS.filter(({ id }, index) => {
    const result = results[index];
    const listed = result?.ok === true || result?.code === 'idempotency_conflict';
    if (!listed) logger.error({ market: id, result }, 'a market of the demo could not be listed');
    return listed;
  });
}
