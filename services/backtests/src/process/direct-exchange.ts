import { accountLane, newNameSalt, operatorLane } from '@paper/command-side';
import { Refused } from '@paper/contracts';
import type { Decision, RejectionCode, State } from '@paper/exchange';
import type { Actor } from '@paper/exchange/commands';
import { hashKey } from '@paper/http';
import { nameDigest } from '@paper/journal';
import type { PlayedCommand, PlayedExchange } from '../playing.ts';
import type { BacktestClock } from './backtest-clock.ts';
import type { BacktestExchange } from './exchange.ts';
import type { SeededRandomness } from './seeded-randomness.ts';

const OPERATOR: Actor = { kind: 'operator', name: 'backtest' };
const PERMISSIONS = ['view', 'trade', 'master', 'reconcile'] as const;

export interface Participant {
  readonly accountId: string;
  readonly keyId: string;
}

/** The exchange of a backtest, for callers that send commands without a request. */
export class DirectExchange {
  readonly played: PlayedExchange;

  constructor(
    readonly exchange: BacktestExchange,
    readonly randomness: SeededRandomness,
    readonly clock: BacktestClock,
  ) {
    this.played = {
      newId: randomness.newId,
      now: clock.now,
      state: this.state,
      submit: (by, command) => this.#submit(by, command),
    };
  }

  readonly state = (): State => {
    const { state } = this.exchange.writer;
    if (state === null) throw new Error('the exchange decides nothing any more');
    return state;
  };

  cashOf(accountId: string): number {
    return this.state().accounts.get(accountId)?.cashUnits ?? 0;
  }

  /** The primary account of an account's fleet. */
  readonly ownerOf = (accountId: string): string => this.state().accounts.get(accountId)?.owner.id ?? accountId;

  /** Decides the timers that are due. Resolves when no command waits for a decision. */
  settled(): Promise<void> {
    return this.exchange.writer.settled();
  }

  /** Opens the account of a participant. Its key depends only on the seed. */
  async openParticipant(name: string): Promise<Participant & { readonly known: string }> {
    const { newId, newKey } = this.randomness;
    const [accountId, keyId, { known }] = [newId(), newId(), newKey()];
    const salt = newNameSalt();
    const stored = { accountId, digest: '', name, salt };
    await this.exchange.names.store([stored]);
    const decision = await this.#submit(OPERATOR, {
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
    await this.exchange.names.settle([stored]);
    return { accountId, keyId, known };
  }

  /** Also cancels the orders of its sub-accounts. */
  async cancelOrders({ accountId, keyId }: Participant): Promise<void> {
    const by: Actor = { accountId, keyId, kind: 'key' };
    const all = { marketId: null, outcome: null, side: null, type: 'CancelOrders' } as const;
    for (const account of [...this.state().accounts.values()].filter(({ owner }) => owner.id === accountId)) {
      let decision: Decision;
      do decision = await this.#submit(by, { ...all, accountId: account.id });
      while (decision.kind === 'accepted');
    }
  }

  async #submit(by: Actor, command: PlayedCommand): Promise<Decision> {
    const id = this.randomness.newId();
    const lane = by.kind === 'key' ? accountLane(by.accountId, null) : operatorLane('backtest');
    const base = { by, causationId: id, correlationId: id, id, idempotency: null };
    try {
      const { value } = await this.exchange.writer.submit(lane, { ...command, ...base }, (decision) => decision);
      return value;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { kind: 'rejected', code: error.code as RejectionCode, message: error.message };
    }
  }
}
