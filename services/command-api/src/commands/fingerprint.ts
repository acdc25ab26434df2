import { createHmac, createSecretKey } from 'node:crypto';
import { rememberedFingerprint, type Command, type State } from '@paper/exchange';

/**
 * Makes the fingerprint of a request into the one that its command carries: its HMAC. A request can have a name or a
 * price in it, and who guesses could find it again by a bare digest, also after it was forgotten everywhere else.
 *
 * Where the Idempotency-Key is remembered with a bare digest, from before fingerprints had a secret, and it is of the
 * same request, the command keeps the bare one: so a retry across the update is a replay. It is one for certain, since
 * it is decided on this very state, so a bare digest is not stored again.
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
