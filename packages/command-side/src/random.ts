import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** The source of ids and salts, so that a simulation is repeatable. */
export interface Ids {
  /** A UUIDv7. */
  readonly newId: () => string;
  /** 32 random hex digits. */
  readonly newSalt: () => string;
}

const SIZE = 16;
const pool = Buffer.alloc(SIZE * 512);
let taken = pool.length;

/**
 * 16 bytes of the system's randomness, good until the pool is filled anew: use them at once. Asking the system for
 * each 16 bytes was a fifth of the command path's time.
 */
function randomChunk(): Buffer {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += SIZE;
  return pool.subarray(taken - SIZE, taken);
}

/** A UUIDv7. */
export function newId(): string {
  return v7({ random: randomChunk() });
}

/** 32 random hex digits. */
export function newSalt(): string {
  return randomChunk().toString('hex');
}

export const systemIds: Ids = { newId, newSalt };
