import { randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** The source of ids and salts, so that a simulation is repeatable. */
export interface Ids {
  readonly newId: () => string;
  readonly newSalt: () => string;
}

export interface RawKey {
  /** The raw key that its owner receives, once. */
  readonly given: string;
  /** The key whose hash and last four characters the exchange stores in the journal. */
  readonly known: string;
}

/** All random values that a process puts into the journal. */
export interface Randomness extends Ids {
  /** Makes a key. Both fields hold it, unless a proxy in front of the exchange replaces one key by the other. */
  readonly newKey: () => RawKey;
}

const SIZE = 16;
const pool = Buffer.alloc(SIZE * 512);
let taken = pool.length;

/** 16 random bytes, to be used at once. A system call for each took a fifth of the command path's time. */
function randomChunk(): Buffer {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += SIZE;
  return pool.subarray(taken - SIZE, taken);
}

const KEY_BYTES = 32;

const system: Randomness = {
  newId: () => v7({ random: randomChunk() }),
  newSalt: () => randomChunk().toString('hex'),
  newKey: () => {
    const key = `svc_live_${randomBytes(KEY_BYTES).toString('base64url')}`;
    return { given: key, known: key };
  },
};

let source = system;

/** Replaces the system's randomness where the journal follows from a seed; null restores it. */
export function useRandomness(replacement: Randomness | null): void {
  source = replacement ?? system;
}

/** A UUIDv7. */
export const newId = (): string => source.newId();

/** 32 random hex digits. */
export const newSalt = (): string => source.newSalt();

/** The salt of a display name's digest: 32 random bytes. */
export const newNameSalt = (): Buffer => Buffer.from(newSalt() + newSalt(), 'hex');

export const newKey = (): RawKey => source.newKey();

export const systemIds: Ids = { newId, newSalt };
