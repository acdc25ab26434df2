import { z } from 'zod';
import { foldName } from './passwords.ts';

/** An address to which letters can be sent, in its stored form. RFC 5321 allows 254 characters. */
export const emailAddress = z
  .string()
  .max(254, 'must be at most 254 characters long')
  .transform(foldName)
  .pipe(z.email('must be an e-mail address, such as name@example.com'));
