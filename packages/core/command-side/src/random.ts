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
 * Returns 16 random bytes of the operating system. The bytes are valid until the pool is refilled, so the caller must
 * use them at once. One system call for each 16 bytes took a fifth of the command path's time.
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
