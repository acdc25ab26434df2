import { createHash, randomBytes } from 'node:crypto';
import type { Randomness } from '@paper/command-side';

const UUID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** Replaces the random values of the journal by values that depend on a seed and the number of events before them. */
export interface SeededRandomness extends Randomness {
  /** Begins the next command. It reuses the values of a command that was not appended, so no other may be pending. */
  readonly begin: () => void;
  /** The exchange's keys, which depend on the seed, by the random keys that their owners were given for them. */
  readonly keys: Map<string, string>;
  /** Returns 32 bytes that depend only on the seed. */
  readonly secret: (name: string) => Buffer;
}

/** `seq`: the number of events so far. */
export function seededRandomness(seed: number, nowMs: () => number, seq: () => number): SeededRandomness {
  const keys = new Map<string, string>();
  let [atSeq, count] = [-1, 0];
  const digest = (...parts: readonly (string | number)[]): Buffer =>
    createHash('sha256')
      .update([seed, ...parts].join('/'))
      .digest();
  const next = (): Buffer => {
    const now = seq();
    if (now !== atSeq) [atSeq, count] = [now, 0];
    count += 1;
    return digest('next', now, count);
  };
  return {
    begin: () => {
      count = 0;
    },
    keys,
    secret: (name) => digest('secret', name),
    newId: () => {
      const bytes = next().subarray(0, 16);
      bytes.writeUIntBE(nowMs(), 0, 6);
      bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
      bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
      return bytes.toString('hex').replace(UUID, '$1-$2-$3-$4-$5');
    },
    newSalt: () => next().toString('hex', 0, 16),
    newKey: () => {
      const known = `svc_live_${next().toString('base64url')}`;
      // The last four characters are equal: the journal has them, and the owner recognizes the key by them.
      const given = `svc_live_${randomBytes(32).toString('base64url').slice(0, -4)}${known.slice(-4)}`;
      keys.set(given, known);
      return { given, known };
    },
  };
}
