import { z } from 'zod';

/** A count or a sequence: a whole number from 0. */
export const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The difference between two counts. */
export const difference = z.int().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

/** An amount in dollars in an answer: a multiple of $0.0001. */
export const money = z.number();

/** Dollars that an account may start with. */
export const startingBalance = z.number().min(1).max(10_000_000).optional();

/** A price that an order may name. */
export const price = z.number().min(0.01).max(0.99);

/** A probability, 0 to 1. */
export const fraction = z.number().min(0).max(1);

/** A difference of two probabilities. */
export const delta = z.number().min(-1).max(1);
