import { endpoints, openApiDocument } from '@paper/contracts';
import type { Endpoint } from '@paper/contracts';

/** The part of JSON Schema that the generators read. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly [other: string]: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** An operation of the API with the schemas of its parts; null if there is none. */
export interface ApiOperation {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly summary: string;
  readonly params: Schema | null;
  readonly query: Schema | null;
  readonly body: Schema | null;
  readonly answer: Schema;
}

/** The format of a number that is an amount, a price or a fraction: the client can give it as exact text. */
export const DECIMAL = 'decimal';

/** The parts of the OpenAPI document that the client's types are made from. Decimal numbers have the format `decimal`. */
export function apiDocument() {
  const document = JSON.parse(JSON.stringify(openApiDocument())) as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  // The global Error would be hidden.
  const { Error: errorSchema, ...schemas } = document.components.schemas;
  if (errorSchema === undefined) throw new Error('the document has no schema Error');
  const operations = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods)
      .filter(({ operationId }) => Object.hasOwn(endpoints, operationId))
      .map(operationOf),
  );
  return {
    schemas: markedEach(schemas),
    operations: operations.sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

function operationOf({ operationId: id, parameters = [], requestBody, responses, summary }: Operation): ApiOperation {
  const endpoint: Endpoint = endpoints[id as keyof typeof endpoints];
  const answer = responses['200']?.content[endpoint.media[0] ?? ''];
  if (answer === undefined) throw new Error(`${id} documents no answer`);
  const body = requestBody?.content['application/json']?.schema;
  return {
    id,
    endpoint,
    summary,
    params: objectOf(parameters.filter((parameter) => parameter.in === 'path')),
    query: objectOf(parameters.filter((parameter) => parameter.in === 'query')),
    body: body === undefined ? null : marked(body, 'body'),
    answer:
      endpoint.media[0] === 'application/x-ndjson'
        ? { type: 'array', items: marked(answer.schema, 'answer') }
        : marked(answer.schema, 'answer'),
  };
}

function objectOf(parameters: readonly Parameter[]): Schema | null {
  if (parameters.length === 0) return null;
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, plain(schema)])),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

/** Drops what would only make the types' comments longer. */
function plain({ example: _example, examples: _examples, pattern: _pattern, ...rest }: Schema): Schema {
  const { anyOf, ...other } = rest;
  // If there is a type, the alternatives only narrow it. An empty alternative, for what is refused, would widen it.
  if (anyOf === undefined || rest.type !== undefined) return other;
  return { ...other, anyOf: anyOf.filter((one) => Object.keys(one).length > 0) };
}

const markedEach = (schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, marked(schema, name)]));

/** The schema with `format: decimal` in its decimal numbers. Durations (`…Ms`) stay numbers. */
function marked(schema: Schema, name: string): Schema {
  if (schema.anyOf?.every(({ type }) => type === 'number') === true) {
    // A number with only a few possible values.
    return { ...plain({ ...schema, type: 'number' }), format: DECIMAL };
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  const isDecimal = types.includes('number') && !name.endsWith('Ms');
  const { anyOf } = plain(schema);
  const each = (list: readonly Schema[]): Schema[] => list.map((one) => marked(one, name));
  return {
    ...plain(schema),
    ...(isDecimal ? { format: DECIMAL } : {}),
    ...(schema.items === undefined ? {} : { items: marked(schema.items, name) }),
    ...(anyOf === undefined ? {} : { anyOf: each(anyOf) }),
    ...(schema.oneOf === undefined ? {} : { oneOf: each(schema.oneOf) }),
    ...(schema.allOf === undefined ? {} : { allOf: each(schema.allOf) }),
    ...(schema.properties === undefined ? {} : { properties: markedEach(schema.properties) }),
  };
}
