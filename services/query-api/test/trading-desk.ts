import type { Command, OpenSubAccount, Permission } from '@paper/exchange';
import { orderFrom } from '@paper/testkit/order-text';
import { base, keyOf, listMarket, openAccount, startEpoch } from '@paper/testkit/scenario';
import { keyHash, rawKey, readDesk, type ReadDesk, type ReadDeskOptions } from './read-desk.ts';

const PERMISSIONS: readonly Permission[] = ['view', 'trade', 'master', 'reconcile'];

/** A desk with the market `m`, the accounts ann and bob, and ann's sub-accounts sub and sib; keys have their names. */
export async function tradingDesk(options: ReadDeskOptions = {}): Promise<ReadDesk> {
  const desk = await readDesk(options);
  const open = (name: string): Command => openAccount(name, { keyHash: keyHash(name), permissions: PERMISSIONS });
  const openSub = (name: string): OpenSubAccount => ({
    ...base(keyOf('ann'), `open-${name}`),
    type: 'OpenSubAccount',
    accountId: name,
    nameDigest: 'd1'.repeat(32),
    keyHash: keyHash(name),
    keyId: `${name}-key`,
    last4: 'last',
    permissions: ['view', 'trade', 'reconcile'],
  });
  await desk.submit(startEpoch(), open('ann'), open('bob'), openSub('sub'), openSub('sib'), listMarket('m'));
  return desk;
}

/** Orders as text (see orderFrom), or any commands. */
export async function trade(desk: ReadDesk, ...commands: readonly (string | Command)[]): Promise<void> {
  await desk.submit(...commands.map((one) => (typeof one === 'string' ? orderFrom(one) : one)));
  await desk.projected();
}

export const cancel = (accountId: string, orderId: string): Command => ({
  ...base(keyOf(accountId), `cancel-${orderId}`),
  type: 'CancelOrder',
  orderId,
});

/** What a GET with somebody's key gives. */
export async function get(desk: ReadDesk, who: string, path: string) {
  const { status, headers, body } = await desk.client.request('GET', path, { key: rawKey(who) });
  const next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null;
  return { status, headers, body, next };
}
