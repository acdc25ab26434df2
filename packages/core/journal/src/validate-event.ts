import type { EventType, ExchangeEvent } from '@paper/exchange/events';
import type { FieldType, Fields, ScalarType } from '@paper/exchange/fields';
import { TICK_UNITS } from '@paper/exchange/vocabulary';
import { z } from 'zod';
import { eventFields, eventVersion, privateEventFields } from './formats.ts';
import type { Stored } from './formats.ts';
import { fitsSchema } from './predicate.ts';

/** Checks events against the schemas of their versions, made from their field data: for tests and audits. */

/** Checks a whole event against the schema of a version, by default the current one. @throws Error */
export function validateEvent(event: Stored | ExchangeEvent, version?: number): void {
  const type = String(event.type);
  check(type, event, schemaOf(type, version ?? eventVersion(type as EventType), false));
}

/** Checks the public part of an event, which has no private fields. @throws Error */
export function validatePublicEvent(event: Stored, version: number): void {
  const type = String(event['type']);
  check(type, event, schemaOf(type, version, true));
}

const text = z.string().refine((value) => value.isWellFormed(), 'a lone surrogate has no UTF-8 text');
const time = z.int().nonnegative();

const SCALARS: { readonly [T in ScalarType]: z.ZodType } = {
  boolean: z.boolean(),
  count: z.int().nonnegative(),
  fraction: z.number().min(0).max(1),
  id: z.string().min(1),
  instant: z.int(),
  last4: z.string().length(4),
  number: z.number(),
  positive: z.int().positive(),
  priceUnits: z.int().min(0).max(10_000),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  text,
  tickUnits: z.union(TICK_UNITS.map((units) => z.literal(units))),
  time,
  units: z.int().nonnegative(),
  uuid: z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
};

function shapeOf(fields: Fields): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, schemaOfField(type as FieldType)]));
}

function schemaOfField(type: FieldType): z.ZodType {
  if (typeof type === 'string') return SCALARS[type];
  if ('nullable' in type) return schemaOfField(type.nullable as FieldType).nullable();
  if ('listOf' in type) return z.array(schemaOfField(type.listOf as FieldType));
  if ('private' in type) return schemaOfField(type.private as FieldType);
  if ('fields' in type) return z.strictObject(shapeOf(type.fields));
  return z.enum(type);
}

/** Schemas by type and version; those of `publicSchemas` omit the private fields. */
type Schemas = Map<string, Map<number, z.ZodType>>;
const schemas: Schemas = new Map();
const publicSchemas: Schemas = new Map();

function schemaOf(type: string, version: number, isPublic: boolean): z.ZodType {
  const among = isPublic ? publicSchemas : schemas;
  const known = among.get(type)?.get(version);
  if (known !== undefined) return known;
  const schema = z.strictObject({ ...declaredShape(type, version, isPublic), at: time, type: z.literal(type) });
  among.set(type, (among.get(type) ?? new Map<number, z.ZodType>()).set(version, schema));
  return schema;
}

function declaredShape(type: string, version: number, isPublic: boolean): Record<string, z.ZodType> {
  if (eventFields(type as EventType, 1) === undefined) throw new Error(`event type ${type} is unknown here`);
  const fields = eventFields(type as EventType, version);
  if (fields === undefined) throw new Error(`event ${type} version ${version} is unknown here`);
  const hidden = isPublic ? (privateEventFields(type, version) ?? []) : [];
  return shapeOf(Object.fromEntries(Object.entries(fields).filter(([name]) => !hidden.includes(name))));
}

function check(type: string, event: unknown, schema: z.ZodType): void {
  if (fitsSchema(schema, event)) return;
  const verdict = schema.safeParse(event);
  if (!verdict.success) throw new Error(`event ${type} does not fit its schema: ${z.prettifyError(verdict.error)}`);
}
