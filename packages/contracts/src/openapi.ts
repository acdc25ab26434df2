import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { publishedCost } from './cost.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import { ErrorBody, type OpenApiDocument } from './service.ts';
import { idempotencyKeyText } from './text.ts';

type Responses = RouteConfig['responses'];
interface Header {
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer' };
  readonly example: string | number;
}
interface Reference {
  readonly $ref: string;
}

const HEADERS = {
  'X-Journal-Seq': {
    description:
      "The journal sequence up to which this answer knows everything; a command's: the sequence of its last event.",
    schema: { type: 'integer' },
    example: 1202,
  },
  'X-Journal-Hash': {
    description:
      "A receipt: the hash of the journal's event at X-Journal-Seq, in 64 hex digits. Whoever keeps both can prove later, with GET /api/journal, that this history was not rewritten. An answer that appended nothing carries that of the event that it was decided after; a replayed one the first answer's; a batch in which nothing succeeded carries none.",
    schema: { type: 'string' },
    example: '91ac9aa9d277087e6b54fb5217d12a98912f92269b6b3e450922f714c82d7fa3',
  },
  'Idempotent-Replayed': {
    description: '`true` on the answer of a request that was done before under the same Idempotency-Key.',
    schema: { type: 'string' },
    example: 'true',
  },
  ETag: {
    description:
      'Of the bytes of this answer: sent back as If-None-Match, it is answered with 304 while they are the same.',
    schema: { type: 'string' },
    example: '"kUq3Yw9bT2fXh0LrVn6PzA"',
  },
  'Cache-Control': {
    description:
      '`no-cache`: to be kept by who likes, and asked about each time; `immutable` with a `max-age`: it never changes; `private` with it: by who asked with that key; `no-store` where a key was needed.',
    schema: { type: 'string' },
    example: 'no-cache',
  },
  Vary: {
    description:
      '`accept-encoding` where the answer is sent compressed too; each coding has an ETag of its own. `authorization, x-api-key` on what may be kept by who asked with a key.',
    schema: { type: 'string' },
    example: 'accept-encoding',
  },
  Link: {
    description: 'The next page, as `<…>; rel="next"`; absent on the last one.',
    schema: { type: 'string' },
    example: '</api/markets?limit=50&cursor=eyJzIjoxfQ.c2lnbmF0dXJl>; rel="next"',
  },
  RateLimit: {
    description:
      'What is left of the rate limit, in units (`r`), and in how many seconds it is full again (`t`). Of several limits (the key’s, and as `"fleet-reads"` or `"fleet-commands"` that of the whole fleet) the one that leaves the least.',
    schema: { type: 'string' },
    example: '"reads";r=399;t=1',
  },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer' }, example: 1 },
  Allow: { description: 'The methods that this path has.', schema: { type: 'string' }, example: 'GET, POST' },
} as const satisfies Record<string, Header>;

type HeaderName = keyof typeof HEADERS;
type Headers = Partial<Record<HeaderName, Reference>>;

/** A component that the document names once and refers to everywhere else. */
function refer(component: 'headers' | 'examples', name: string): Reference {
  return { $ref: `#/components/${component}/${name}` };
}

function headersOf(...names: readonly HeaderName[]): Headers {
  return Object.fromEntries(names.map((name) => [name, refer('headers', name)]));
}

function errorExamples(codes: readonly ErrorCode[]): Record<string, Reference> {
  return Object.fromEntries(codes.map((code) => [code, refer('examples', code)]));
}

const ABOUT = `Paper trading on yes/no markets: simulated money, a real order book, and a journal that everything can be checked against.

Prices, money and probabilities are in dollars, multiples of $0.0001; a share pays $1 or $0. Timestamps are ISO 8601, UTC, with milliseconds. Errors are always \`{error, code}\`. Bodies are closed: an unknown field is refused. Unknown query parameters are ignored.

Most reads carry an \`ETag\`: sent back as \`If-None-Match\`, it is answered with 304 and no body while nothing has changed.

An authenticated read sees every command that was answered before the read was sent.

Rate limits: 100 commands and 200 units of reads a second for each key, with bursts of twice that; five times as much for a fleet, which is a primary account with its sub-accounts and all of their keys. Who shows no key, or one that is nobody's, is counted by address. A read costs 1 to 50 units: \`x-cost\` of each operation tells how many by default and at most, and their parts. It is \`base\` (with the query parameter \`asOfSeq\`: that) and one more for each full \`itemsPerUnit\` items that \`limit\` asks for, whatever the answer is, 304 included. The parts follow the processor time that the read takes, the database's included. Where lower limits are set, no read costs more than an eighth of the burst.`;

const TAGS = {
  Service: 'Health, and this document.',
  Markets: 'Markets and their order books. No key is needed.',
  Trading: "The account's orders.",
  Portfolio: 'What the account has.',
  Signals: 'Cited signals, and what follows from them.',
  Platform: 'What happens on the whole platform. No key is needed.',
  Accounts: 'Sub-accounts and keys, for a primary account with a master key.',
  Audit: 'What can be checked without trusting those who run the exchange.',
  Operator: 'For those who run the exchange: with an operator token, not with a key.',
};

/** What any request can be answered with, whatever the endpoint. */
function genericErrors(endpoint: Endpoint): readonly ErrorCode[] {
  return [
    'validation_failed',
    ...(endpoint.auth === 'public' && endpoint.keyedBy === null ? [] : (['not_authenticated'] as const)),
    'method_not_allowed',
    'request_timeout',
    ...(endpoint.method === 'get' ? [] : (['payload_too_large', 'unsupported_media_type'] as const)),
    'rate_limited',
    'internal',
    'unavailable',
  ];
}

/** An order names its market in its body, so an unknown one is the order's fault: 400, as the specification has no 404 there. */
function statusOf(endpoint: Endpoint, code: ErrorCode): number {
  return endpoint.id === 'placeOrder' && code === 'market_not_found' ? 400 : ERRORS[code].status;
}

/** When an endpoint answers with a code, with the limit that is its own. */
function whenOf(code: ErrorCode, { maxBodyBytes }: Endpoint): string {
  return code === 'payload_too_large' ? `the body is over ${maxBodyBytes} bytes` : ERRORS[code].when;
}

/** Headers are refused before anything of a request is known, with the code that a body has. */
const HEADERS_TOO_LARGE: Responses = {
  431: {
    description: '`payload_too_large`: the request line and the headers are over 16 KiB.',
    content: { 'application/json': { schema: ErrorBody, examples: errorExamples(['payload_too_large']) } },
  },
};

function errorResponses(endpoint: Endpoint): Responses {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...endpoint.errors, ...genericErrors(endpoint)])) {
    const status = statusOf(endpoint, code);
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

/**
 * Of a 200. OpenAPI 3.1 has no word for a stream of events or for lines, so there the schema is that of one event's
 * data, or of one line.
 */
function answerContent(endpoint: Endpoint): Record<string, { readonly schema: z.ZodType; readonly example: unknown }> {
  const { answer, csv } = endpoint.example ?? {};
  return Object.fromEntries(
    endpoint.media.map((media) => [
      media,
      media === 'text/csv' ? { schema: z.string(), example: csv } : { schema: endpoint.answer, example: answer },
    ]),
  );
}

/** Of a 200, and of the 304 in its place. */
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
  const description = 'Nothing has changed: what the client has under the tag in If-None-Match is still the answer.';
  return endpoint.conditional ? { 304: { description, headers: answerHeaders(endpoint) } } : {};
}

/** What a request may carry besides its key. */
function requestHeaders(endpoint: Endpoint): Record<string, z.ZodType> {
  return {
    ...(endpoint.idempotent
      ? {
          'Idempotency-Key': idempotencyKeyText.optional().meta({
            examples: ['order-2026-11-20-0001'],
            description:
              'A request that was done once is answered again, not done again; remembered for at least 24 h. The same key with another request is 400 `idempotency_conflict`.',
          }),
        }
      : {}),
    ...(endpoint.streams
      ? {
          'Last-Event-ID': z
            .string()
            .optional()
            .meta({
              examples: ['1202'],
              description: 'The `id` of the last event that was received, as a client sends it that comes back.',
            }),
        }
      : {}),
    ...(endpoint.conditional
      ? {
          'If-None-Match': z
            .string()
            .optional()
            .meta({
              examples: ['"kUq3Yw9bT2fXh0LrVn6PzA"'],
              description:
                'The ETag of an answer that the client has, or several: while one of them holds, 304 comes back.',
            }),
        }
      : {}),
  };
}

function bodyExamples({ example }: Endpoint): Record<string, { readonly value: unknown }> {
  const bodies: Readonly<Record<string, unknown>> = example?.bodies ?? {};
  return Object.fromEntries(Object.entries(bodies).map(([title, value]) => [title, { value }]));
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type?: string };
  example?: string | number;
}

/** Writes the example of a parameter beside its schema, so that Swagger UI fills it in. */
function showParameters({ example }: Endpoint, parameters: readonly Parameter[]): void {
  const shown = { path: example?.params, query: example?.query } as Record<string, unknown>;
  for (const parameter of parameters) {
    const value = (shown[parameter.in] as Readonly<Record<string, string>> | undefined)?.[parameter.name];
    if (value !== undefined) parameter.example = parameter.schema.type === 'integer' ? Number(value) : value;
  }
}

function permissionNote(endpoint: Endpoint): string {
  return endpoint.permission === null ? '' : `\n\nPermission: \`${endpoint.permission}\`.`;
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
    security: endpoint.keyedBy === null ? schemes[endpoint.auth] : [{}, ...anyKey],
    request: {
      ...(endpoint.params instanceof z.ZodObject ? { params: endpoint.params } : {}),
      ...(endpoint.query instanceof z.ZodObject ? { query: endpoint.query } : {}),
      ...(Object.keys(headers).length === 0 ? {} : { headers: z.object(headers) }),
      ...(endpoint.body === null
        ? {}
        : {
            body: {
              required: true,
              content: { 'application/json': { schema: endpoint.body, examples: bodyExamples(endpoint) } },
            },
          }),
    },
    responses: {
      200: {
        description: endpoint.summary,
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
    description: '`Authorization: Bearer svc_live_…` (preferred).',
  });
  registry.registerComponent('securitySchemes', 'apiKeyHeader', {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The same key in a header of its own. Both and different is 401.',
  });
  registry.registerComponent('securitySchemes', 'operatorToken', {
    type: 'http',
    scheme: 'bearer',
    description: "An operator's token. An account's key is 403 here.",
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
      version: '0.1.0',
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
