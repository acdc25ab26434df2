import { newNameSalt } from '@paper/command-side';
import type { Actor } from '@paper/exchange/commands';
import { findKeyOwner } from '@paper/exchange';
import { hashKey } from '@paper/http';
import { nameDigest } from '@paper/journal';
import type { BacktestExchange } from './exchange.ts';
import type { Feed } from './feed.ts';

const OPERATOR: Actor = { kind: 'operator', name: 'backtest' };
const PERMISSIONS = ['view', 'trade', 'master', 'reconcile'] as const;

/** The accounts that trade in a backtest, by turn. */
export class Participants {
  readonly accountIds: string[] = [];

  constructor(
    private readonly exchange: BacktestExchange,
    private readonly feed: Feed,
  ) {}

  /**
   * Opens the accounts, and returns a key for each. The exchange knows another key in its place, which depends only on
   * the seed.
   */
  async open(count: number): Promise<readonly string[]> {
    const { names, newId, randomness, state, submit } = this.exchange;
    const keys: string[] = [];
    for (let number = 1; number <= count; number += 1) {
      const name = `Participant ${number}`;
      const [accountId, keyId, { given, known }] = [newId(), newId(), randomness.newKey()];
      const salt = newNameSalt();
      const stored = { accountId, digest: '', name, salt };
      await names.store([stored]);
      const decision = await submit(OPERATOR, {
        accountId,
        keyHash: hashKey(known),
        keyId,
        last4: known.slice(-4),
        nameDigest: nameDigest(salt, name),
        permissions: PERMISSIONS,
        startingBalanceUnits: null,
        type: 'OpenAccount',
      });
      if (decision.kind !== 'accepted') throw new Error(`a participant's account was not opened: ${decision.kind}`);
      await names.settle([stored]);
      keys.push(given);
      this.accountIds.push(accountId);
      this.feed.follow(accountId, state().accounts.get(accountId)?.cashUnits ?? 0, state().seq);
    }
    return keys;
  }

  /** The turn of an account, or of its primary account; null if it takes none. */
  readonly turnOf = (accountId: string): number | null => {
    const owner = this.exchange.state().accounts.get(accountId)?.owner.id ?? accountId;
    const turn = this.accountIds.indexOf(owner);
    return turn === -1 ? null : turn;
  };

  /** The turn of the holder of a key of the exchange. */
  turnOfKey(known: string): number | null {
    const owner = findKeyOwner(this.exchange.state(), hashKey(known));
    return owner === null ? null : this.turnOf(owner.accountId);
  }

  /** Cancels the orders of a participant and of its sub-accounts. */
  async cancelOrders(accountId: string): Promise<void> {
    const { state, submit } = this.exchange;
    const by: Actor = { accountId, keyId: await this.#liveKeyOf(accountId), kind: 'key' };
    const all = { marketId: null, outcome: null, side: null, type: 'CancelOrders' } as const;
    for (const account of [...state().accounts.values()].filter(({ owner }) => owner.id === accountId)) {
      while ((await submit(by, { ...all, accountId: account.id })).kind === 'accepted');
    }
  }

  /** The id of a key with every permission. A new one is issued where the participant has revoked its own. */
  async #liveKeyOf(accountId: string): Promise<string> {
    const { newId, randomness, state, submit } = this.exchange;
    for (const { account, id, permissions, revokedAt } of state().keys.values()) {
      if (account.id !== accountId || revokedAt !== null) continue;
      if (PERMISSIONS.every((one) => permissions.includes(one))) return id;
    }
    const [keyId, { known }] = [newId(), randomness.newKey()];
    const key = { keyHash: hashKey(known), keyId, last4: known.slice(-4), name: 'left out', permissions: PERMISSIONS };
    await submit(OPERATOR, { ...key, accountId, type: 'IssueApiKey' });
    return keyId;
  }
}
