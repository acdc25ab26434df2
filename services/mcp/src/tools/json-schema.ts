import { z } from 'zod';

/** A JSON Schema of an object. It names no dialect, which older and newer clients both accept. */
export type JsonObjectSchema = { readonly type: 'object' } & Readonly<Record<string, unknown>>;

type Node = Readonly<Record<string, unknown>>;

/** The JSON Schema of a tool's input; `isDescribed`: with the descriptions, which a model needs to call the tool. */
export function inputSchemaOf(input: z.ZodObject, isDescribed: boolean): JsonObjectSchema {
  return jsonSchemaOf(input, 'input', isDescribed);
}

/**
 * The JSON Schema of a tool's result, for programs that check it. It takes space in a model's context, so it has no
 * descriptions, and states repeated parts once.
 */
export function outputSchemaOf(result: z.ZodType): JsonObjectSchema {
  const { $defs = {}, ...schema } = jsonSchemaOf(result, 'output', false);
  const plain = withoutReferences(schema, $defs as Readonly<Record<string, Node>>) as Node;
  return { ...sharing(plain), type: 'object' };
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output', isDescribed: boolean): JsonObjectSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      // Each call is checked by the whole rule anyway, and the refusal says what is wrong.
      delete jsonSchema.pattern;
      delete jsonSchema.examples;
      if (!isDescribed) delete jsonSchema.description;
      if (io === 'output') shorten(jsonSchema);
    },
  });
  return { ...rest, type: 'object' };
}

function shorten(schema: z.core.JSONSchema.BaseSchema): void {
  delete schema.default;
  // The values already imply the type.
  if (schema.enum !== undefined) delete schema.type;
  const { additionalProperties, properties = {}, required = [] } = schema;
  const count = Object.keys(properties).length;
  // An object with as many properties as allowed has all of them.
  if (additionalProperties !== false || required.length !== count) return;
  delete schema.required;
  schema.minProperties = count;
}

/** A schema with each reference replaced by its target, and with null among the values of a nullable enum. */
function withoutReferences(node: unknown, defs: Readonly<Record<string, Node>>): unknown {
  if (Array.isArray(node)) return node.map((one) => withoutReferences(one, defs));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...others } = node as Node;
  const target = typeof $ref === 'string' ? { ...defs[$ref.slice('#/$defs/'.length)], ...others } : others;
  const { id: _id, ...schema } = target as Node;
  const plain = mapValues(typeof target['id'] === 'string' ? schema : target, (value) =>
    withoutReferences(value, defs),
  );
  const [one, other, ...more] = (plain['anyOf'] ?? []) as readonly Node[];
  if (one?.['enum'] === undefined || other?.['type'] !== 'null' || more.length > 0) return plain;
  return { enum: [...(one['enum'] as readonly unknown[]), null] };
}

/** The length from which a schema is worth a reference. */
const SHARED_MIN = 60;

function sharing(schema: Node): Node {
  const times = new Map<string, number>();
  const count = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const text = JSON.stringify(node);
    if (isSchema(node) && text.length >= SHARED_MIN) times.set(text, (times.get(text) ?? 0) + 1);
    Object.values(node).forEach(count);
  };
  count(schema);
  const shared = [...times].filter(([, occurrences]) => occurrences > 1).map(([text]) => text);
  const share = (node: unknown, isDefinition = false): unknown => {
    if (Array.isArray(node)) return node.map((one) => share(one));
    if (typeof node !== 'object' || node === null) return node;
    const at = isDefinition ? -1 : shared.indexOf(JSON.stringify(node));
    return at === -1 ? mapValues(node as Node, (value) => share(value)) : { $ref: `#/$defs/${at}` };
  };
  const $defs = Object.fromEntries(shared.map((text, at) => [at, share(JSON.parse(text), true)]));
  return { ...(share(schema) as Node), ...(shared.length === 0 ? {} : { $defs }) };
}

/** Whether a part of a schema is a schema itself, not a table of properties, whose names may equal keywords. */
function isSchema(node: object): boolean {
  const { type, enum: values } = node as { readonly type?: unknown; readonly enum?: unknown };
  return typeof type === 'string' || Array.isArray(values);
}

function mapValues(node: Node, map: (value: unknown) => unknown): Node {
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, map(value)]));
}
