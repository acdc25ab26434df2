import { pointerTo, validatorOf } from '@paper/testkit/http';
import type { Json, ServedDocument } from '@paper/testkit/http';

export type { Json } from '@paper/testkit/http';

/** The part of JSON Schema that is needed to make values. The validator decides which values are valid. */
export interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly format?: string;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly type?: string | readonly string[];
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** An operation of the served OpenAPI document. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** The path, with `{name}` for each parameter. */
  readonly template: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  readonly maxBodyBytes: number;
  /** The credential that the operation needs. `optional`: only some of its requests need a key. */
  readonly auth: 'public' | 'optional' | 'key' | 'operator';
  readonly isCommand: boolean;
  readonly streams: boolean;
  readonly strictQuery: boolean;
}

export type Api = ReturnType<typeof apiOf>;

interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, unknown>> }>
  >;
  readonly 'x-strict-query'?: boolean;
  readonly security: readonly Readonly<Record<string, unknown>>[];
}

interface DescribedApi extends ServedDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

/** Operations below this path exist only below the base URL of a backtest. */
const OF_BACKTESTS = '/api/clock';

export async function readApi(baseUrl: string): Promise<Api> {
  return apiOf((await (await fetch(`${baseUrl}/api/openapi`)).json()) as object);
}

export function apiOf(served: object) {
  const document = served as DescribedApi;
  const ajv = validatorOf(document);
  const operations = Object.entries(document.paths)
    .filter(([template]) => !template.startsWith(OF_BACKTESTS))
    .flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, described]) => operationOf(template, method, described)),
    );
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (document.components.schemas[name] ?? schema);
  };
  const validators = new Map<Schema, (value: unknown) => boolean>();
  const fits = (schema: Schema, value: unknown): boolean => {
    let validate = validators.get(schema);
    if (validate === undefined) {
      const compiled = ajv.compile(withinDocument(schema));
      validate = (one) => compiled(one);
      validators.set(schema, validate);
    }
    return validate(value);
  };
  return {
    document: document as ServedDocument,
    operations: operations as readonly Operation[],
    /** Finds an operation by its id. @throws Error when the document has none */
    operation(id: string): Operation {
      const found = operations.find((one) => one.id === id);
      if (found === undefined) throw new Error(`the served document has no operation ${id}`);
      return found;
    },
    /** The schema, with a `$ref` resolved. */
    resolve,
    /** The field of a body with a list that may contain any item, since each is judged by itself; null without one. */
    itemsOf(body: Schema): string | null {
      const { properties = {} } = resolve(body);
      const isOfAny = ({ items }: Schema): boolean =>
        items?.anyOf?.some((one) => Object.keys(one).length === 0) ?? false;
      return Object.keys(properties).find((name) => isOfAny(properties[name] ?? {})) ?? null;
    },
    fits,
    /** Whether the document allows this text for a parameter, parsed as the schema's type. */
    fitsText(schema: Schema, text: string): boolean {
      const isInteger = schema.type === 'integer' && /^(0|[1-9]\d*)$/.test(text);
      return fits(schema, isInteger ? Number(text) : text);
    },
  };
}

/** The schema with references that are valid outside of the document too. */
function withinDocument(schema: Schema): object {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? pointerTo(...value.split('/').slice(1)) : value,
  ) as object;
}

function operationOf(template: string, method: string, described: DescribedOperation): Operation {
  const { operationId, parameters = [], requestBody, responses, security } = described;
  const limit = /over (\d+) bytes/.exec(responses['413']?.description ?? '')?.[1];
  const isOperators = security.some((scheme) => 'operatorToken' in scheme);
  const isOptional = security.some((scheme) => Object.keys(scheme).length === 0);
  return {
    id: operationId,
    method: method.toUpperCase(),
    template,
    parameters,
    body: requestBody?.content['application/json']?.schema ?? null,
    maxBodyBytes: Number(limit ?? 0),
    auth: isOperators ? 'operator' : isOptional ? 'optional' : security.length > 0 ? 'key' : 'public',
    isCommand: method !== 'get',
    streams: responses['200']?.content?.['text/event-stream'] !== undefined,
    strictQuery: described['x-strict-query'] ?? false,
  };
}
