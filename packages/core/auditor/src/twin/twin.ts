import type { CommandOf, CommandType, JudgedCommand } from '../events/judged-commands.ts';
import { DueQueue } from '../timers/due-queue.ts';
import {
  approveAccount,
  issueApiKey,
  mayHandle,
  openAccount,
  openSubAccount,
  renameAccount,
  revokeApiKey,
} from './accounts.ts';
import { amendOrder } from './amend.ts';
import { cancelOrder, cancelOrders } from './cancels.ts';
import { authorize } from './checks.ts';
import type { CommandByKey } from './checks.ts';
import { closeAccount, continueClosing, forgetDisplayNames } from './closing.ts';
import { setMandate } from './mandates.ts';
import { activateOrPause, amendMarket, listMarket, recordSignal } from './markets.ts';
import { createMemory, findRememberedKey, scopedName } from './memory.ts';
import { mergeShares, placeOrder } from './orders.ts';
import { closeMarket, continueClosingOrSettling, resolveMarket, voidMarket } from './runs.ts';
import { expireOrders, fireDeadManSwitch, setDeadManSwitch } from './timers.ts';
import { emit, rememberedKeyOf, refuse, scopeOf } from './state.ts';
import type { Key, Order, Verdict, TwinState } from './state.ts';
import { isWellFormed } from './well-formed.ts';

export type Twin = ReturnType<typeof createTwin>;

/** The decision of each command; the key is null for an operator or the system. */
const DECISIONS: {
  readonly [T in CommandType]: (
    state: TwinState,
    command: CommandOf<T>,
    key: T extends CommandByKey ? Key : Key | null,
  ) => Verdict;
} = {
  PlaceOrder: placeOrder,
  CancelOrder: cancelOrder,
  CancelOrders: cancelOrders,
  AmendOrder: amendOrder,
  MergeShares: mergeShares,
  SetDeadManSwitch: setDeadManSwitch,
  FireDeadManSwitch: fireDeadManSwitch,
  ExpireOrders: expireOrders,
  SetMandate: setMandate,
  OpenSubAccount: openSubAccount,
  OpenAccount: openAccount,
  IssueApiKey: issueApiKey,
  RenameAccount: renameAccount,
  RevokeApiKey: revokeApiKey,
  ApproveAccount: approveAccount,
  CloseAccount: closeAccount,
  ContinueClosing: continueClosing,
  ForgetDisplayNames: forgetDisplayNames,
  ListMarket: listMarket,
  AmendMarket: amendMarket,
  ActivateMarket: activateOrPause,
  PauseMarket: activateOrPause,
  CloseMarket: closeMarket,
  ContinueRun: continueClosingOrSettling,
  ResolveMarket: resolveMarket,
  VoidMarket: voidMarket,
  RecordSignal: recordSignal,
  StartWriterEpoch: startEpoch,
};

/**
 * A second, naive implementation of the exchange's rules: sorted arrays, loops, and sums recomputed each time. Where it
 * decides differently from the exchange, one of the two is wrong.
 */
export function createTwin() {
  const orders = new Map<string, Order>();
  const state: TwinState = {
    settings: {
      complianceMode: 'paper',
      fillsPerCommand: 500,
      idempotencyEntries: 2_000_000,
      idempotencyWindowMs: 86_400_000,
      liveKeysPerAccount: 20,
      openOrdersPerAccount: 1_000,
      revokedKeyWindowMs: 86_400_000,
      revokedKeysPerAccount: 200,
      runChunk: 400,
      startingBalanceUnits: 100_000_000,
      subAccountsPerPrimary: 50,
    },
    epoch: 0,
    rulesVersion: 1,
    seq: 0,
    lastAt: 0,
    accounts: new Map(),
    granted: 0n,
    keys: new Map(),
    markets: new Map(),
    orders,
    signals: new Set(),
    memory: createMemory(),
    endedIds: createMemory(),
    expiries: new DueQueue((order) => orders.get(order.orderId) === order),
    switches: new DueQueue(({ cancelsAt }, at) => cancelsAt === at),
    closings: new DueQueue(({ amendable, clockSet }, at) => clockSet && amendable.closesAt === at),
    command: null,
    emitted: [],
  };
  return {
    /** Decides a command, and applies it at once if it is accepted. */
    handle(command: JudgedCommand): Verdict {
      state.command = command;
      state.emitted = [];
      return decide(state, command);
    },
    state: state as Readonly<TwinState>,
  };
}

function decide(state: TwinState, command: JudgedCommand): Verdict {
  const caller = authorize(state, command);
  if ('refusal' in caller) return refuse(caller.refusal);
  if (!isWellFormed(state, command)) return refuse('validation_failed');
  if (command.type === 'PlaceOrder' && command.accountId !== null && caller.key !== null) {
    if (!mayHandle(state, caller.key, command.accountId)) return refuse('forbidden');
  }
  const before = replayed(state, command);
  if (before !== null) return before;
  // The compiler cannot follow a command's type through a union to its function.
  const decision = DECISIONS[command.type] as (state: TwinState, command: JudgedCommand, key: Key | null) => Verdict;
  return decision(state, command, caller.key);
}

function replayed(state: TwinState, command: JudgedCommand): Verdict | null {
  const idempotency = rememberedKeyOf(command);
  // The system's commands have no client that would repeat them, so they need no Idempotency-Key.
  if (idempotency === null || command.by.kind === 'system') return null;
  const { fingerprint, index = null, key } = idempotency;
  const remembered = findRememberedKey(state.memory, scopedName(scopeOf(command), key), index);
  if (remembered === null) return null;
  return remembered !== 'other form' && remembered.fingerprint === fingerprint
    ? { kind: 'replayed', seq: remembered.seq }
    : refuse('idempotency_conflict');
}

function startEpoch(state: TwinState, command: CommandOf<'StartWriterEpoch'>): Verdict {
  const { build, rulesVersion, settings, writerId } = command;
  state.epoch += 1;
  const verdict = emit(state, 'WriterEpochStarted', { build, epoch: state.epoch, rulesVersion, settings, writerId });
  // The new settings and rules apply from the next event on.
  state.settings = settings;
  state.rulesVersion = rulesVersion;
  return verdict;
}
