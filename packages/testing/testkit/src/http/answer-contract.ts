import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** One answer, to be checked against the served OpenAPI document. */
export interface CheckedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body: null for none, an array of values for JSON lines, and text for any other type than JSON. */
  readonly body: unknown;
}

/** The parts of a served OpenAPI document that define the allowed answers. */
export interface ServedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
}

type Responses = Readonly<Record<string, ServedResponse>>;

interface ServedResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** A validator for the schemas of a served document, which it names `openapi`. */
export function validatorOf(document: object): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, unicodeRegExp: true });
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);
  ajv.addSchema(document, 'openapi');
  return ajv;
}

/** A JSON pointer into the served document, for `$ref`. */
export function pointerTo(...parts: readonly string[]): string {
  const escape = (part: string): string => encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1'));
  return `openapi#/${parts.map(escape).join('/')}`;
}

export type AnswerContract = ReturnType<typeof createAnswerContract>;

export function createAnswerContract(document: ServedDocument, ajv = validatorOf(document)) {
  const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.keys(methods).map((method) => ({
      method,
      template,
      // A literal path has precedence over a template, as in the router.
      literals: template.split('/').filter((part) => part !== '' && !part.startsWith('{')).length,
      pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
    })),
  );
  operations.sort((a, b) => b.literals - a.literals);

  return {
    /** Returns the answer's name, `METHOD template status`. @throws Error when the document does not allow it */
    check(method: string, path: string, { status, headers, body }: CheckedAnswer): string {
      const bare = path.split('?')[0] ?? path;
      // HEAD is GET without the body.
      const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
      const operation = operations.find((one) => one.method === verb && one.pattern.test(bare));
      if (operation === undefined) throw new Error(`${method} ${path} is not in the served document`);
      const responses = document.paths[operation.template]?.[operation.method]?.responses ?? {};
      const name = `${method} ${operation.template} ${status}`;
      const key = responses[String(status)] === undefined ? 'default' : String(status);
      const response = responses[key];
      if (response === undefined) throw new Error(`${name} is not documented`);
      assertHeaders(name, response, headers);
      if (response.content === undefined || method === 'HEAD') {
        if (body !== null) throw new Error(`${name} has a body, and none is documented`);
        return name;
      }
      const media = headers.get('content-type')?.split(';')[0] ?? '';
      if (response.content[media] === undefined) throw new Error(`${name} (${media}) is not documented`);
      const validate = ajv.getSchema(
        pointerTo('paths', operation.template, operation.method, 'responses', key, 'content', media, 'schema'),
      );
      if (validate === undefined) throw new Error(`${name} has no schema`);
      // For JSON lines, the schema is that of each line.
      for (const one of media === 'application/x-ndjson' ? (body as readonly unknown[]) : [body]) {
        if (validate(one)) continue;
        throw new Error(
          `${name} does not fit the served document: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(one)}`,
        );
      }
      if (status >= 400) assertCode(name, response, body as { readonly code: string });
      return name;
    },
  };
}

function assertHeaders(name: string, response: ServedResponse, headers: Headers): void {
  if ((response.headers?.['ETag'] !== undefined) !== headers.has('etag')) {
    throw new Error(`${name} ${headers.has('etag') ? 'has an ETag, and none' : 'has no ETag, and one'} is documented`);
  }
  const headerHash = headers.get('x-journal-hash');
  // A batch that changed nothing has no event in its receipt.
  const hasReceipt = response.headers?.['X-Journal-Hash'] !== undefined && headers.get('x-journal-seq') !== '0';
  if (hasReceipt !== /^[0-9a-f]{64}$/.test(headerHash ?? '')) {
    throw new Error(
      `${name} carries ${headerHash ?? 'no receipt'}, and ${hasReceipt ? 'a hash' : 'none'} is documented`,
    );
  }
  for (const required of ['Allow', 'Retry-After', 'X-Journal-Seq']) {
    if (response.headers?.[required] !== undefined && !headers.has(required)) {
      throw new Error(`${name} has no ${required}, and one is documented`);
    }
  }
}

/** OpenAPI has no place for error codes: each is in the description of its status. */
function assertCode(name: string, response: ServedResponse, { code }: { readonly code: string }): void {
  if (!response.description.includes(`\`${code}\``)) throw new Error(`${name} with the code ${code} is not documented`);
}

/** The body of an answer, in the form of `CheckedAnswer.body`. */
export function answerBody(text: string, contentType: string): unknown {
  if (contentType.startsWith('application/x-ndjson')) return text.split('\n').filter(Boolean).map(parse);
  if (text === '') return null;
  return contentType.startsWith('application/json') ? parse(text) : text;
}

function parse(text: string): unknown {
  return JSON.parse(text);
}
