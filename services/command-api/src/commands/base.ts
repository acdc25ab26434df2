import type { KeyCaller, OperatorCaller } from '@paper/contracts';
import type { Actor, CommandBase, Idempotency, Permission } from '@paper/exchange';
import { newId, accountLane, operatorLane, type CommandLane } from '@paper/command-side';

/** What every command of a request has but its clock reading, which the writer gives it when it decides. */
export type UntimedBase = Omit<CommandBase, 'at'>;

/** A request is where its chain begins: it is its own cause. */
function base(by: Actor, idempotency: Idempotency | null): UntimedBase {
  const id = newId();
  return { by, causationId: id, correlationId: id, id, idempotency };
}

export function baseOf(caller: KeyCaller | OperatorCaller, idempotency: Idempotency | null): UntimedBase {
  return caller.kind === 'operator'
    ? base({ kind: 'operator', name: caller.name }, idempotency)
    : base({ accountId: caller.accountId, keyId: caller.keyId, kind: 'key' }, idempotency);
}

export function laneOf(caller: KeyCaller | OperatorCaller): CommandLane {
  return caller.kind === 'operator'
    ? operatorLane(caller.name)
    : accountLane(caller.accountId, caller.primaryAccountId);
}

const ORDER: readonly Permission[] = ['view', 'trade', 'master', 'reconcile'];

/** Each permission once, in one order, so that what means the same is the same. */
export function normalPermissions(permissions: readonly Permission[]): readonly Permission[] {
  return ORDER.filter((permission) => permissions.includes(permission));
}
