import { createHmac, createSecretKey } from 'node:crypto';
import { rememberedFingerprint, type Command, type State } from '@paper/exchange';

/**
 * Replaces a request's SHA-256 fingerprint by its HMAC. A bare digest could be reversed by guessing names or prices,
 * even after they are erased.
 *
 * Before fingerprints had a secret, the bare digest was stored. Where the state remembers the Idempotency-Key with the
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
