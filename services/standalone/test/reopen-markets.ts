import { expect } from 'chai';
import type { CheckedClient } from '@paper/testkit/http';

/** Gives markets that were imported closed a later closing time, and activates them. */
export async function reopenMarkets(
  client: CheckedClient,
  operatorToken: string,
  marketIds: readonly string[],
): Promise<void> {
  const commands = marketIds.flatMap((id) => [
    { op: 'amend-market', id, closesAt: '2099-01-01T00:00:00Z' },
    { op: 'activate-market', id },
  ]);
  const { results } = await client.ok<{ results: readonly { ok: boolean }[] }>('POST', '/api/operator/batch', {
    key: operatorToken,
    body: { commands },
  });
  expect(results.filter(({ ok }) => !ok)).to.deep.equal([]);
}
