import { z } from 'zod';
import { answer, namedObject, timeOrNull } from '../answer.ts';

/** The body that arms the switch for this many seconds from now; 0 turns it off. */
export const DeadManSwitchInput = namedObject('DeadManSwitchInput', {
  seconds: z
    .int()
    .min(0)
    .max(3600)
    .refine((seconds) => seconds === 0 || seconds >= 5, 'must be 0 to turn it off, or a whole number, 5 to 3600')
    .meta({
      description: '0 turns the switch off; else 5 to 3600.',
      anyOf: [
        { type: 'integer', enum: [0] },
        { type: 'integer', minimum: 5, maximum: 3600 },
      ],
    }),
});

export const DeadManSwitch = answer('DeadManSwitch', {
  cancelsAt: timeOrNull(
    'cancelsAt',
    'When the open orders of the account are cancelled, if the switch is not set again; null: it is off.',
  ),
});
