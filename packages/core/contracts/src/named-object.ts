import { z } from 'zod';

/** A schema of objects that refuses unknown fields. @param id its name in the OpenAPI document */
export function namedObject<const S extends z.core.$ZodShape>(id: string, shape: S) {
  return z.strictObject(shape).meta({ id });
}
