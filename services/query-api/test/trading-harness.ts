import type { Command, CommandOf, Settings } from '@paper/exchange/commands';
import type { Permission } from '@paper/exchange/vocabulary';
import { orderFrom, base, keyOf, listMarket, openAccount, startEpoch } from '@paper/testkit';
import { keyHash, rawKey, readHarness } from './read-harness.ts';
import type { ReadHarness, ReadHarnessOptions } from './read-harness.ts';

const PERMISSIONS: readonly Permission[] = ['view', 'trade', 'master', 'reconcile'];

/** A read harness with the market `m`, the accounts ann and bob, and ann's sub-accounts sub and sib; keys have their names. */
export async function tradingHarness({
  settings = {},
  ...options
}: ReadHarnessOptions & { readonly settings?: Partial<Settings> } = {}): Promise<ReadHarness> {
  const harness = await readHarness(options);
  const open = (name: string): Command => openAccount(name, { keyHash: keyHash(name), permissions: PERMISSIONS });
  const openSub = (name: string): CommandOf<'OpenSubAccount'> => ({
    ...base(keyOf('ann'), `open-${name}`),
    type: 'OpenSubAccount',
    accountId: name,
    nameDigest: 'd1'.repeat(32),
    keyHash: keyHash(name),
    keyId: `${name}-key`,
    last4: 'last',
    permissions: ['view', 'trade', 'reconcile'],
  });
  await harness.submit(startEpoch(settings), open('ann'), open('bob'), openSub('sub'), openSub('sib'), listMarket('m'));
  return harness;
}

/** Orders as text (see orderFrom), or any commands. */
export async function trade(harness: ReadHarness, ...commands: readonly (string | Command)[]): Promise<void> {
  await harness.submit(...commands.map((one) => (typeof one === 'string' ? orderFrom(one) : one)));
  await harness.projected();
}

export const cancel = (accountId: string, orderId: string): Command => ({
  ...base(keyOf(accountId), `cancel-${orderId}`),
  type: 'CancelOrder',
  orderId,
});

/** The body of a GET with this account's key. */
export async function get(harness: ReadHarness, who: string, path: string) {
  const { status, headers, body } = await harness.client.request('GET', path, { key: rawKey(who) });
  const next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null;
  return { status, headers, body, next };
}
