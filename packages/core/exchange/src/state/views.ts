import type { Actor, CommandBase } from '../commands.ts';
import { keyNameOf } from './idempotency.ts';
import type { State } from './state.ts';

/** Whether a single command, outside a batch, has used this Idempotency-Key and the key is still stored. */
export function isUsedBySingle(state: State, by: Actor, key: string): boolean {
  return state.idempotency.find(keyNameOf(by, key, undefined)) !== null;
}

/** The fingerprint that is stored with this command's Idempotency-Key; null if none is stored. */
export function rememberedFingerprint(
  state: State,
  { by, idempotency }: Pick<CommandBase, 'by' | 'idempotency'>,
): string | null {
  if (idempotency === null) return null;
  return state.idempotency.find(keyNameOf(by, idempotency.key, idempotency.index))?.fingerprint ?? null;
}
