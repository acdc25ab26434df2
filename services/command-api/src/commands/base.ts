import { createHmac, createSecretKey } from 'node:crypto';
import { parseUnits, Refused } from '@paper/contracts';
import type { KeyCaller, OperatorCaller } from '@paper/contracts';
import { PERMISSIONS, rememberedFingerprint } from '@paper/exchange';
import type { Actor, CommandBase, Idempotency, Permission, Command, State } from '@paper/exchange';
import { newId, accountLane, operatorLane } from '@paper/command-side';
import type { CommandLane } from '@paper/command-side';

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

/**
 * Converts an amount of a request to units; null where it is absent.
 * @throws Refused validation_failed where it is finer than $0.0001.
 */
export function unitsOf(field: string, amount: number | undefined): number | null {
  if (amount === undefined) return null;
  const units = parseUnits(amount);
  if (units === null) {
    throw new Refused('validation_failed', `validation failure: ${field}: must be a multiple of 0.0001`);
  }
  return units;
}

/**
 * Replaces a request's SHA-256 fingerprint by its HMAC. A bare digest could be reversed by guessing names or prices,
 * even after they are erased.
 *
 * Before fingerprints had a secret, the bare digest was stored. Where the state holds the Idempotency-Key with the
 * bare digest of this same request, the command keeps that digest: so a retry across the update is a replay. The
 * command is then always a replay, so no bare digest is stored again.
 */
export function fingerprintsWith(secret: Buffer): (command: Command, state: State | null) => Command {
  const key = createSecretKey(secret);
  return (command, state) => {
    const { idempotency } = command;
    if (idempotency === null) return command;
    if (state !== null && rememberedFingerprint(state, command) === idempotency.fingerprint) return command;
    const fingerprint = createHmac('sha256', key).update(idempotency.fingerprint, 'hex').digest('hex');
    return { ...command, idempotency: { ...idempotency, fingerprint } };
  };
}
