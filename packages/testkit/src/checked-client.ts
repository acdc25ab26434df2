import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** One answer, after it was held against the served OpenAPI document. */
export interface CheckedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Null where there is none; of lines of JSON, an array of what they hold; of what is no JSON, its text. */
  readonly body: unknown;
}

export interface CheckedRequest {
  /** Sent as `Authorization: Bearer …`. */
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CheckedClient {
  readonly baseUrl: string;
  /** Sends a request; throws when its answer is not one that the served document allows. */
  request(method: string, path: string, request?: CheckedRequest): Promise<CheckedAnswer>;
  /** Like request, and throws unless the answer is a 200; gives its body as `T`. */
  ok<T>(method: string, path: string, request?: CheckedRequest): Promise<T>;
  /** How many answers were validated, by `METHOD path status`. */
  readonly validated: ReadonlyMap<string, number>;
}

interface Operation {
  readonly responses: Record<string, { content?: Record<string, unknown>; headers?: Record<string, unknown> }>;
}

interface OpenApi {
  readonly paths: Record<string, Record<string, Operation>>;
}

/**
 * A client of the public API that validates every answer against the document that the service itself serves: status,
 * content type, ETag, receipt, and body by an independent JSON Schema validator.
 */
export async function createCheckedClient(baseUrl: string): Promise<CheckedClient> {
  const served = await fetch(`${baseUrl}/api/openapi`);
  const document = (await served.json()) as OpenApi;
  const ajv = new Ajv2020({ strict: false, allErrors: true, unicodeRegExp: true });
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);
  ajv.addSchema(document, 'openapi');

  const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.keys(methods).map((method) => ({
      method,
      template,
      // A literal path wins over a template, as in the router.
      literals: template.split('/').filter((part) => part !== '' && !part.startsWith('{')).length,
      pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
    })),
  );
  operations.sort((a, b) => b.literals - a.literals);

  const compiled = new Map<string, ValidateFunction>();
  const validated = new Map<string, number>();

  const check = (method: string, path: string, { status, headers, body }: CheckedAnswer): void => {
    const bare = path.split('?')[0] ?? path;
    const operation = operations.find((o) => o.method === method.toLowerCase() && o.pattern.test(bare));
    if (operation === undefined) throw new Error(`${method} ${path} is not in the served document`);
    const responses = document.paths[operation.template]?.[operation.method]?.responses ?? {};
    const name = `${method} ${operation.template} ${status}`;
    const key = responses[String(status)] === undefined ? 'default' : String(status);
    const response = responses[key];
    if ((response?.headers?.['ETag'] !== undefined) !== headers.has('etag')) {
      throw new Error(
        `${name} ${headers.has('etag') ? 'has an ETag, and none' : 'has no ETag, and one'} is documented`,
      );
    }
    const told = headers.get('x-journal-hash');
    // Of a batch in which nothing was done there is no event to name.
    const hasReceipt = response?.headers?.['X-Journal-Hash'] !== undefined && headers.get('x-journal-seq') !== '0';
    if (hasReceipt !== /^[0-9a-f]{64}$/.test(told ?? '')) {
      throw new Error(`${name} carries ${told ?? 'no receipt'}, and ${hasReceipt ? 'a hash' : 'none'} is documented`);
    }
    if (response !== undefined && response.content === undefined) {
      if (body !== null) throw new Error(`${name} has a body, and none is documented`);
      validated.set(name, (validated.get(name) ?? 0) + 1);
      return;
    }
    const media = headers.get('content-type')?.split(';')[0] ?? '';
    if (response?.content?.[media] === undefined) throw new Error(`${name} (${media}) is not documented`);
    const escape = (part: string): string => encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1'));
    const pointer = ['paths', operation.template, operation.method, 'responses', key, 'content', media, 'schema'];
    const reference = `openapi#/${pointer.map(escape).join('/')}`;
    let validate = compiled.get(reference);
    if (validate === undefined) {
      validate = ajv.compile({ $ref: reference });
      compiled.set(reference, validate);
    }
    // Of an answer in lines, each line is what is documented.
    for (const one of media === 'application/x-ndjson' ? (body as readonly unknown[]) : [body]) {
      if (validate(one)) continue;
      throw new Error(
        `${name} does not fit the served document: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(one)}`,
      );
    }
    validated.set(name, (validated.get(name) ?? 0) + 1);
  };

  const request: CheckedClient['request'] = async (method, path, { key, body: sent, headers } = {}) => {
    const answer = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
    const body = bodyOf(await answer.text(), answer.headers.get('content-type') ?? '');
    const checked = { status: answer.status, headers: answer.headers, body };
    check(method, path, checked);
    return checked;
  };

  return {
    baseUrl,
    request,
    async ok<T>(method: string, path: string, options?: CheckedRequest): Promise<T> {
      const answer = await request(method, path, options);
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as T;
    },
    validated,
  };
}

function bodyOf(text: string, contentType: string): unknown {
  if (contentType.startsWith('application/x-ndjson')) return text.split('\n').filter(Boolean).map(parse);
  if (text === '') return null;
  return contentType.startsWith('application/json') ? parse(text) : text;
}

function parse(text: string): unknown {
  return JSON.parse(text);
}
