import { eventually } from '@paper/testkit';
import { marketBody } from '@paper/testkit/http';
import type { Api, Json } from './api.ts';
import type { Client } from './client.ts';
import { requestOf } from './request.ts';
import type { Principals } from './request.ts';

type Answer = Readonly<Record<string, never>> & {
  readonly id: string;
  readonly state: string;
  readonly account: { readonly id: string };
  readonly apiKey: { readonly id: string; readonly rawKey: string };
  readonly subAccount: { readonly id: string };
};

const MARKETS = 6;
const ENDED_WITHIN_MS = 120_000;

/**
 * Opens the accounts that send the requests, lists markets, makes a few trades, and plays a backtest to its end. The
 * pool does not contain these accounts, so no request revokes their keys. No later request starts a backtest, since its
 * end does not follow from the seed. The tests of services/backtests send requests inside of a backtest.
 */
export async function preparePrincipals(client: Client, api: Api, operator: string): Promise<Principals> {
  const ask = async (id: string, key: string, body?: Json, pathId = ''): Promise<Answer> => {
    const operation = api.operation(id);
    const path = operation.template.replace(/\{\w+\}/, pathId);
    const request = requestOf({ operation, path, key, body }, 'prepared', { statuses: [200] });
    const asked = await client.ask(request, -1);
    if (asked === null) throw new Error(`the run cannot begin: ${client.findings[0]?.text ?? ''}`);
    // The number of waits for the backtest does not depend on the seed, so these answers are not recorded.
    if (/Account|Key|listTapes|getBacktest/.test(id)) client.note(request, asked, -1);
    else client.learn(request, asked, -1);
    return asked.body as Answer;
  };

  const rich = { displayName: 'Primary', startingBalance: 10_000_000 };
  const primary = await ask('openAccount', operator, rich);
  const foreign = await ask('openAccount', operator, { displayName: 'Foreign' });
  const { id } = primary.account;
  const viewer = await ask('issueAccountKey', operator, { name: 'viewer', permissions: ['view'] }, id);
  const subAccount = { displayName: 'Sub', permissions: ['view', 'trade'] };
  const sub = await ask('createSubAccount', primary.apiKey.rawKey, subAccount);
  const spare = { name: 'spare', permissions: ['trade'] };
  const revoked = await ask('createSubAccountKey', primary.apiKey.rawKey, spare, sub.subAccount.id);
  await ask('revokeKey', primary.apiKey.rawKey, undefined, revoked.apiKey.id);

  for (let market = 1; market <= MARKETS; market += 1) {
    await ask('createMarket', operator, marketBody(`market-${market}`));
    const order = { marketId: `market-${market}`, price: 0.5, quantity: 5 };
    // The leaderboard has a second page only if two accounts with the usual starting balance have traded.
    const buyer = market === MARKETS ? sub : primary;
    await ask('placeOrder', buyer.apiKey.rawKey, { ...order, outcome: 'yes' });
    await ask('placeOrder', foreign.apiKey.rawKey, { ...order, outcome: 'no' });
  }
  const haveRead = async (): Promise<boolean> => 'tapes' in (await ask('listTapes', primary.apiKey.rawKey));
  await eventually('a list of tapes', haveRead);
  // No client advances the clock of this backtest, so the backtest ends by itself.
  const start = { tape: 'made-news', patienceSeconds: 1 };
  const deleted = await ask('startBacktest', primary.apiKey.rawKey, start);
  await ask('deleteBacktest', primary.apiKey.rawKey, undefined, deleted.id);
  const kept = await ask('startBacktest', primary.apiKey.rawKey, start);
  const hasEnded = async (): Promise<boolean> =>
    (await ask('getBacktest', primary.apiKey.rawKey, undefined, kept.id)).state === 'ended';
  await eventually('the end of the backtest', hasEnded, { withinMs: ENDED_WITHIN_MS });
  return {
    operator,
    primary: primary.apiKey.rawKey,
    primaryId: id,
    viewer: viewer.apiKey.rawKey,
    foreign: foreign.apiKey.rawKey,
    sub: sub.apiKey.rawKey,
    revoked: revoked.apiKey.rawKey,
  };
}
