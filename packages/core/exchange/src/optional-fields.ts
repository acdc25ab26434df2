import { OPTIONAL_ORDER_FIELDS, PLAIN_ORDER } from './commands.ts';
import type { OptionalFields } from './commands.ts';

export const OPTIONAL_FIELDS = Object.keys(OPTIONAL_ORDER_FIELDS) as readonly (keyof OptionalFields)[];

/** The values of the fields that an order may leave out. All orders without any of them share one object. */
export function optionalFields<E extends Readonly<Record<keyof OptionalFields, unknown>>>(
  order: E,
): Pick<E, keyof OptionalFields> {
  for (const name of OPTIONAL_FIELDS) {
    if (order[name] !== PLAIN_ORDER[name]) return givenFields(order);
  }
  return PLAIN_ORDER;
}

function givenFields<E extends Readonly<Record<keyof OptionalFields, unknown>>>(order: E) {
  const fields: Record<string, unknown> = {};
  for (const name of OPTIONAL_FIELDS) fields[name] = order[name];
  return fields as Pick<E, keyof OptionalFields>;
}
