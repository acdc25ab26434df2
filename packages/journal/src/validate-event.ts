import type { EventType, ExchangeEvent } from '@paper/exchange';
import { z } from 'zod';
import { EVENT_FORMATS } from './event-formats.ts';
import { privateEventFields } from './private-fields.ts';
import type { Stored } from './stored-object.ts';

/** Events against the schemas of their versions: for tests and audits, not for the way of every event. */

/**
 * Holds a whole event against its schema.
 *
 * @param version default the current one
 * @throws Error that names the type and what is wrong.
 */
export function validateEvent(event: Stored | ExchangeEvent, version?: number): void {
  const type = String(event.type);
  check(type, event, schemaOf(type, version));
}

/** Holds what everyone may read of an event against its schema, in which private fields are too many. @throws Error */
export function validatePublicEvent(event: Stored, version: number): void {
  const type = String(event['type']);
  check(type, event, publicSchemaOf(type, version));
}

function schemaOf(type: string, version?: number): z.ZodType {
  if (!Object.hasOwn(EVENT_FORMATS, type)) throw new Error(`event type ${type} is unknown here`);
  const { former, schema } = EVENT_FORMATS[type as EventType];
  const found = version === undefined || version === former.length + 1 ? schema : former[version - 1]?.schema;
  if (found === undefined) throw new Error(`event ${type} version ${String(version)} is unknown here`);
  return found;
}

/** Indexed by type and version: versions may share a schema and still hide different fields. */
const publicSchemas = new Map<string, z.ZodType>();

function publicSchemaOf(type: string, version: number): z.ZodType {
  const key = `${type} ${version}`;
  let found = publicSchemas.get(key);
  if (found === undefined) {
    found = schemaOf(type, version);
    const hidden = privateEventFields(type, version) ?? [];
    if (hidden.length > 0) {
      const { shape } = found as z.ZodObject;
      found = z.strictObject(Object.fromEntries(Object.entries(shape).filter(([name]) => !hidden.includes(name))));
    }
    publicSchemas.set(key, found);
  }
  return found;
}

function check(type: string, event: unknown, schema: z.ZodType): void {
  const verdict = schema.safeParse(event);
  if (!verdict.success) throw new Error(`event ${type} does not fit its schema: ${z.prettifyError(verdict.error)}`);
}
