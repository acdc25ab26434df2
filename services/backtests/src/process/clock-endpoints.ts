import { defineEndpoint, timestamp } from '@paper/contracts';
import { AccountEvent } from '@paper/contracts/accounts';
import { z } from 'zod';
import { WAKES } from './feed.ts';

/** The endpoints of a backtest's clock. */
export const clockEndpoints = {
  getClock: defineEndpoint({
    id: 'getClock',
    method: 'get',
    path: '/api/clock',
    tag: 'Backtests',
    summary: 'Read the clock',
    description: 'The time of the backtest, and the accounts that it waits for.',
    auth: 'key',
    kind: 'read',
    answer: z.strictObject({ now: timestamp, waitingFor: z.array(z.string()), ended: z.boolean() }),
    errors: [],
  }),
  advanceClock: defineEndpoint({
    id: 'advanceClock',
    method: 'post',
    path: '/api/clock/advance',
    tag: 'Backtests',
    summary: 'Let the clock move',
    description: 'Waits until a time, or until something happens.',
    auth: 'key',
    // It is no work: many may wait at once.
    kind: 'read',
    idempotent: true,
    body: z
      .strictObject({
        until: z.iso.datetime({ offset: true }).optional(),
        wake: z.array(z.enum(WAKES)).default(['account']),
      })
      .prefault({}),
    answer: z.strictObject({
      now: timestamp,
      ended: z.boolean(),
      waiting: z.boolean(),
      events: z.array(AccountEvent),
      more: z.boolean(),
    }),
    errors: ['validation_failed'],
  }),
};
