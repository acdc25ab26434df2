import type { Actor, Command, CommandBase, CommandOf } from '@paper/exchange/commands';
import type { Mandate } from '@paper/exchange/vocabulary';
import { base, issueKey, keyOf, openSubAccount, SCENARIO_AT, SYSTEM, tradingScenario } from '@paper/testkit';
import type { Scenario } from '@paper/testkit';
import { checkInvariants } from './invariants.ts';

/** The market `m` and the accounts ann, bob, cy and dan; every invariant is checked after every event. */
export const toolScenario = (settings: Parameters<typeof tradingScenario>[0] = {}, rulesVersion?: number): Scenario =>
  tradingScenario(settings, checkInvariants, rulesVersion);

/** The same with ann's sub-accounts `sub` and `sib`, and her keys `trader` (trade), `both` (trade, master) and `viewer`. */
export const fleetScenario = (settings: Parameters<typeof tradingScenario>[0] = {}, rulesVersion?: number): Scenario =>
  toolScenario(settings, rulesVersion).given(
    openSubAccount('sub'),
    openSubAccount('sib'),
    issueKey('trader', { permissions: ['trade'] }),
    issueKey('both', { permissions: ['trade', 'master'] }),
    issueKey('viewer', { permissions: ['view', 'master'] }),
  );

/** The command at this many milliseconds after SCENARIO_AT. */
export const later = <C extends CommandBase>(ms: number, command: C): C => ({ ...command, at: SCENARIO_AT + ms });

/** The command with an Idempotency-Key. */
export const keyed = <C extends CommandBase>(key: string, command: C, fingerprint = 'same'): C => ({
  ...command,
  idempotency: { fingerprint, key },
});

/** An amendment in dollars. */
export function amend(
  orderId: string,
  change: { readonly price?: number; readonly quantity?: number },
  by: Actor = keyOf('ann'),
): CommandOf<'AmendOrder'> {
  const units = change.price === undefined ? null : Number((change.price * 10_000).toFixed(4));
  const offTick = units !== null && !Number.isInteger(units);
  return {
    ...base(by, `amend-${orderId}`),
    type: 'AmendOrder',
    offTick,
    orderId,
    priceUnits: offTick ? null : units,
    quantity: change.quantity ?? null,
  };
}

export const cancel = (orderId: string, by: Actor = keyOf('ann')): CommandOf<'CancelOrder'> => ({
  ...base(by),
  type: 'CancelOrder',
  orderId,
});

export const cancelMany = (
  accountId: string,
  filters: Partial<Pick<CommandOf<'CancelOrders'>, 'marketId' | 'outcome' | 'side'>> = {},
  by: Actor = keyOf(accountId),
): CommandOf<'CancelOrders'> => ({
  ...base(by),
  type: 'CancelOrders',
  accountId,
  marketId: null,
  outcome: null,
  side: null,
  ...filters,
});

export const merge = (quantity: number | null, by: Actor = keyOf('ann'), marketId = 'm'): CommandOf<'MergeShares'> => ({
  ...base(by),
  type: 'MergeShares',
  marketId,
  quantity,
});

export const arm = (seconds: number, by: Actor = keyOf('ann')): CommandOf<'SetDeadManSwitch'> => ({
  ...base(by),
  type: 'SetDeadManSwitch',
  seconds,
});

export const fire = (accountId: string, by: Actor = SYSTEM): CommandOf<'FireDeadManSwitch'> => ({
  ...base(by),
  type: 'FireDeadManSwitch',
  accountId,
});

export const expire = (by: Actor = SYSTEM): CommandOf<'ExpireOrders'> => ({ ...base(by), type: 'ExpireOrders' });

const NO_LIMITS: Mandate = {
  marketIds: null,
  maxOrderCostUnits: null,
  maxReservedUnits: null,
  maxShares: null,
  reduceOnly: null,
  spendPerDayUnits: null,
};

/** Sets a mandate with these limits; null removes it. */
export const mandate = (
  keyId: string,
  limits: Partial<Mandate> | null,
  by: Actor = keyOf('ann'),
): CommandOf<'SetMandate'> => ({
  ...base(by),
  type: 'SetMandate',
  keyId,
  mandate: limits === null ? null : { ...NO_LIMITS, ...limits },
});

/** The market's command of the operator. */
export const market = (
  type: 'ActivateMarket' | 'PauseMarket' | 'CloseMarket',
  by: Actor = { kind: 'operator', name: 'op' },
  marketId = 'm',
): Command => ({ ...base(by), type, marketId });

/** An order by another key of its account than `<account>-key`. */
export const withKey = <C extends Command>(keyId: string, command: C): C => ({
  ...command,
  by: keyOf(command.by.kind === 'key' ? command.by.accountId : '', keyId),
});
