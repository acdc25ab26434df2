import type { KeyCaller, OperatorCaller } from '@paper/contracts';
import { PERMISSIONS, type Actor, type CommandBase, type Idempotency, type Permission } from '@paper/exchange';
import { newId, accountLane, operatorLane, type CommandLane } from '@paper/command-side';

/** The fields that every command has, without the time: the writer adds it when it decides. */
export type UntimedBase = Omit<CommandBase, 'at'>;

/** The base of a command that a request sent. A request is the first of its causation chain, so it is its own cause. */
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

/** Removes duplicates and sorts, so that equal sets of permissions have equal fingerprints. */
export function normalPermissions(permissions: readonly Permission[]): readonly Permission[] {
  return PERMISSIONS.filter((permission) => permissions.includes(permission));
}
