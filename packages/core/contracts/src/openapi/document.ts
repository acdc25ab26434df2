import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { publishedCost } from '../cost.ts';
import type { Endpoint, EndpointExample, MediaType } from '../endpoint.ts';
import { endpoints } from '../endpoints.ts';
import type { EndpointId } from '../endpoints.ts';
import { ERRORS } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { EXAMPLES } from '../generated/examples.ts';
import { ErrorBody } from '../service/service.ts';
import type { OpenApiDocument } from '../service/service.ts';
import { idempotencyKeyText } from '../text.ts';
import { VERSION } from '../version.ts';
import { errorExamples, HEADERS, headersOf } from './components.ts';
import type { Headers } from './components.ts';
import { ABOUT, TAGS } from './texts.ts';

type Responses = RouteConfig['responses'];

function impliedErrors(endpoint: Endpoint): readonly ErrorCode[] {
  const isKeyed = endpoint.auth !== 'public' || endpoint.keyedBy !== null;
  const implied: Partial<Record<ErrorCode, boolean>> = {
    idempotency_conflict: endpoint.idempotent,
    not_authenticated: isKeyed,
    forbidden: endpoint.permission !== null || endpoint.auth === 'operator',
    primary_account_required: endpoint.primaryOnly,
    kyc_required: endpoint.approvedOnly,
    // Backtests accept commands too, at their own base URL.
    backtest_ended: endpoint.auth === 'key' && endpoint.kind === 'command',
    method_not_allowed: true,
    request_timeout: true,
    payload_too_large: endpoint.method !== 'get',
    unsupported_media_type: endpoint.method !== 'get',
    rate_limited: true,
    internal: true,
    unavailable: true,
  };
  return (Object.keys(implied) as ErrorCode[]).filter((code) => implied[code]);
}

function whenOf(code: ErrorCode, { maxBodyBytes }: Endpoint): string {
  return code === 'payload_too_large' ? `the body is over ${maxBodyBytes} bytes` : ERRORS[code].when;
}

/** The server refuses such headers before it reads the request, with the same code as for a body. */
const HEADERS_TOO_LARGE: Responses = {
  431: {
    description:
      '`payload_too_large`: the request line and the headers are over 16 KiB. Send fewer or shorter headers.',
    content: { 'application/json': { schema: ErrorBody, examples: errorExamples(['payload_too_large']) } },
  },
};

function errorResponses(endpoint: Endpoint): Responses {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set<ErrorCode>(['validation_failed', ...endpoint.errors, ...impliedErrors(endpoint)])) {
    const status = endpoint.errorStatuses[code] ?? ERRORS[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Responses = {};
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${whenOf(code, endpoint)}. ${ERRORS[code].remedy}`).join('\n\n'),
      headers: headersOf(
        'RateLimit',
        ...(status === 405 ? (['Allow'] as const) : []),
        ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
      ),
      content: { 'application/json': { schema: ErrorBody, examples: errorExamples(codes) } },
    };
  }
  return { ...responses, ...HEADERS_TOO_LARGE };
}

function isPaged(endpoint: Endpoint): boolean {
  return endpoint.query instanceof z.ZodObject && 'limit' in endpoint.query.shape;
}

/** The content of a 200. OpenAPI 3.1 cannot describe a stream, so the schema is that of one event's data or line. */
function answerContent(endpoint: Endpoint): Record<string, { readonly schema: z.ZodType; readonly example: unknown }> {
  const { answer, csv, line } = exampleOf(endpoint);
  const contentOf = (media: MediaType) => {
    if (media === 'text/csv') return { schema: z.string(), example: csv };
    const isLine = media === 'application/x-ndjson' && endpoint.line !== null;
    return isLine ? { schema: endpoint.line, example: line } : { schema: endpoint.answer, example: answer };
  };
  return Object.fromEntries(endpoint.media.map((media) => [media, contentOf(media)]));
}

/** Headers of a 200, and of the 304 that may replace it. */
function answerHeaders(endpoint: Endpoint): Headers {
  return headersOf(
    'X-Journal-Seq',
    ...(endpoint.kind === 'command' ? (['X-Journal-Hash'] as const) : []),
    'RateLimit',
    ...(endpoint.conditional ? (['ETag', 'Vary'] as const) : []),
    ...(endpoint.conditional || endpoint.auth !== 'public' ? (['Cache-Control'] as const) : []),
    ...(endpoint.idempotent ? (['Idempotent-Replayed'] as const) : []),
    ...(isPaged(endpoint) ? (['Link'] as const) : []),
  );
}

function notModified(endpoint: Endpoint): Responses {
  const description = 'Nothing has changed: the answer with the ETag in If-None-Match is still current.';
  return endpoint.conditional ? { 304: { description, headers: answerHeaders(endpoint) } } : {};
}

const optionalText = z.string().optional();

/** Headers that a request may carry besides its key, if its endpoint has the property `where`. */
const REQUEST_HEADERS = {
  'Idempotency-Key': {
    where: 'idempotent',
    schema: idempotencyKeyText.optional().meta({
      examples: ['order-2026-11-20-0001'],
      description:
        'Makes the request safe to repeat: the first answer is stored for at least 24 h and returned again. The same key with another request is 400 `idempotency_conflict`.',
    }),
  },
  'Last-Event-ID': {
    where: 'streams',
    schema: optionalText.meta({
      examples: ['1202'],
      description: 'The `id` of the last event that the client received. Browsers send it when they reconnect.',
    }),
  },
  'If-None-Match': {
    where: 'conditional',
    schema: optionalText.meta({
      examples: ['"kUq3Yw9bT2fXh0LrVn6PzA"'],
      description: 'One or several ETags of earlier answers. If one of them is still current, the answer is 304.',
    }),
  },
} as const;

function requestHeaders(endpoint: Endpoint): Record<string, z.ZodType> {
  const carried = Object.entries(REQUEST_HEADERS).filter(([, { where }]) => endpoint[where]);
  return Object.fromEntries(carried.map(([name, { schema }]) => [name, schema]));
}

function exampleOf({ id }: Endpoint): EndpointExample {
  return EXAMPLES[id as EndpointId];
}

function bodyExamples(endpoint: Endpoint): Record<string, { readonly value: unknown }> {
  const { bodies = {} } = exampleOf(endpoint);
  return Object.fromEntries(Object.entries(bodies).map(([title, value]) => [title, { value }]));
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type?: string };
  example?: string | number;
}

/** Writes the example of a parameter next to its schema, so that Swagger UI fills it in. */
function showParameters(endpoint: Endpoint, parameters: readonly Parameter[]): void {
  const { params, query } = exampleOf(endpoint);
  const shown: Readonly<Record<string, EndpointExample['query']>> = { path: params, query };
  for (const parameter of parameters) {
    const value = shown[parameter.in]?.[parameter.name];
    if (value !== undefined) parameter.example = parameter.schema.type === 'integer' ? Number(value) : value;
  }
}

function permissionNote({ auth, permission, scopes }: Endpoint): string {
  if (permission !== null) return `\n\nPermission: \`${permission}\`.`;
  if (auth !== 'operator') return '';
  const names = scopes.map((scope) => `\`${scope}\``).join(' or ');
  return names === '' ? '\n\nScope: only a token without scopes.' : `\n\nScope: ${names}.`;
}

/** OpenAPI cannot say that an unknown query parameter is refused, so an extension does. */
function refusesUnknownParameters({ query }: Endpoint): boolean {
  return query instanceof z.ZodObject && query.def.catchall instanceof z.ZodNever;
}

function route(endpoint: Endpoint): RouteConfig {
  const anyKey = [{ apiKey: [] }, { apiKeyHeader: [] }];
  const schemes = { public: [], key: anyKey, operator: [{ operatorToken: [] }] };
  const headers = requestHeaders(endpoint);
  return {
    method: endpoint.method,
    path: endpoint.path,
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description + permissionNote(endpoint),
    ...(endpoint.cost === null ? {} : { 'x-cost': publishedCost(endpoint.cost) }),
    ...(refusesUnknownParameters(endpoint) ? { 'x-strict-query': true } : {}),
    security: endpoint.keyedBy === null ? schemes[endpoint.auth] : [{}, ...anyKey],
    request: {
      ...(endpoint.params instanceof z.ZodObject ? { params: endpoint.params } : {}),
      ...(endpoint.query instanceof z.ZodObject ? { query: endpoint.query } : {}),
      ...(Object.keys(headers).length === 0 ? {} : { headers: z.object(headers) }),
      ...(endpoint.body === null
        ? {}
        : {
            body: {
              required: !endpoint.body.safeParse(undefined).success,
              content: { 'application/json': { schema: endpoint.body, examples: bodyExamples(endpoint) } },
            },
          }),
    },
    responses: {
      200: {
        description: endpoint.streams ? 'Success: the stream opens.' : 'Success.',
        headers: answerHeaders(endpoint),
        content: answerContent(endpoint),
      },
      ...notModified(endpoint),
      ...errorResponses(endpoint),
    },
  };
}

let made: z.output<typeof OpenApiDocument> | null = null;

/** The OpenAPI 3.1 document of every endpoint, made once from the schemas that check requests and answers. */
export function openApiDocument(): z.output<typeof OpenApiDocument> {
  made ??= generate();
  return made;
}

function generate(): z.output<typeof OpenApiDocument> {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `Authorization: Bearer svc_live_…` (preferred).',
  });
  registry.registerComponent('securitySchemes', 'apiKeyHeader', {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The same API key as `X-Api-Key`. Two different keys in one request are 401.',
  });
  registry.registerComponent('securitySchemes', 'operatorToken', {
    type: 'http',
    scheme: 'bearer',
    description:
      "An operator's token. An account's API key is 403 on these operations, and so is a token whose scopes are all others than those that the operation names.",
  });
  for (const [name, header] of Object.entries(HEADERS)) registry.registerComponent('headers', name, header);
  for (const [code, { example }] of Object.entries(ERRORS)) {
    registry.registerComponent('examples', code, { value: { error: example, code } });
  }
  for (const endpoint of Object.values(endpoints)) registry.registerPath(route(endpoint));
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Paper Trading Service',
      version: VERSION,
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  });
  for (const endpoint of Object.values(endpoints) as Endpoint[]) {
    const { parameters } = document.paths?.[endpoint.path]?.[endpoint.method] ?? {};
    showParameters(endpoint, (parameters ?? []) as readonly Parameter[]);
  }
  return { ...document };
}
