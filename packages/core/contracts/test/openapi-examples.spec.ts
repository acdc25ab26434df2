import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { openApiDocument } from '../src/openapi/document.ts';
import { EXAMPLES_FILE, examplesText } from './examples/recorded.ts';

type Json = Readonly<Record<string, unknown>>;
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required: boolean;
  readonly schema: { readonly examples?: readonly unknown[] };
  readonly example?: unknown;
}
interface Media {
  readonly schema: { readonly $ref?: string };
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>;
}
interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

const document = openApiDocument() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
};
const ajv = new Ajv2020({ strict: false, allErrors: true, unicodeRegExp: true });
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
ajv.addSchema(document, 'openapi');

const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ template, method, operation })),
);

const compiled = new Map<string, ValidateFunction>();

/** Throws unless the schema at this place of the document accepts the value. A named schema is compiled once. */
function expectFit(value: unknown, place: readonly (string | number)[], { $ref }: { readonly $ref?: string }): void {
  const pointer = place.map((part) => encodeURIComponent(String(part).replace(/~/g, '~0').replace(/\//g, '~1')));
  const at = $ref ?? `#/${pointer.join('/')}`;
  const validate = compiled.get(at) ?? ajv.compile({ $ref: `openapi${at}` });
  compiled.set(at, validate);
  expect(validate(value), `${place.join(' ')}: ${ajv.errorsText(validate.errors)}`).to.equal(true);
}

/** The examples of a media type, with those that are named by reference. */
function examplesOf({ example, examples = {} }: Media): unknown[] {
  const named = Object.values(examples).map(({ $ref, value }) => {
    if ($ref === undefined) return value;
    const [, component = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec($ref) ?? [];
    return document.components[component]?.[name]?.['value'];
  });
  return [...(example === undefined ? [] : [example]), ...named];
}

function expectMedia(content: Readonly<Record<string, Media>>, place: readonly string[]): void {
  for (const [type, media] of Object.entries(content)) {
    const examples = examplesOf(media);
    expect(examples, [...place, type].join(' ')).to.not.have.length(0);
    for (const example of examples) expectFit(example, [...place, 'content', type, 'schema'], media.schema);
  }
}

describe('the examples of the served document', () => {
  for (const { template, method, operation } of operations) {
    const place = ['paths', template, method];

    it(`${operation.operationId}: each parameter, body and answer has one, and its schema accepts it`, () => {
      for (const [index, parameter] of (operation.parameters ?? []).entries()) {
        const { example, name, schema } = parameter;
        const examples = [...(example === undefined ? [] : [example]), ...(schema.examples ?? [])];
        expect(examples, name).to.not.have.length(0);
        for (const one of examples) expectFit(one, [...place, 'parameters', index, 'schema'], {});
      }
      if (operation.requestBody !== undefined) expectMedia(operation.requestBody.content, [...place, 'requestBody']);
      for (const [status, { content, headers = {} }] of Object.entries(operation.responses)) {
        // 304 has no body.
        expect(content === undefined, status).to.equal(status === '304');
        expectMedia(content ?? {}, [...place, 'responses', status]);
        for (const name of Object.keys(headers)) {
          const header = document.components['headers']?.[name];
          expect(header, name).to.have.property('example');
          expectFit(header?.['example'], ['components', 'headers', name, 'schema'], {});
        }
      }
    });

    it(`${operation.operationId}: describes each parameter`, () => {
      for (const { name, description } of operation.parameters ?? []) {
        expect(description, name).to.match(/^[A-Z].*\.$/s);
      }
    });

    it(`${operation.operationId}: Swagger UI fills in no value that only a running service can make`, () => {
      const filled = (operation.parameters ?? []).filter(({ example }) => example !== undefined);
      expect(filled.map(({ name }) => name)).to.not.include.members(['cursor']);
      for (const { name, in: where } of filled) expect(where, name).to.be.oneOf(['path', 'query']);
      for (const { name, required, example } of operation.parameters ?? []) {
        if (required) expect(example, name).to.not.equal(undefined);
      }
    });
  }

  it('are recorded as the mappers make them now', () => {
    const message = 'run node --import tsx packages/core/contracts/test/examples/write.ts';
    expect(readFileSync(EXAMPLES_FILE, 'utf8') === examplesText(), message).to.equal(true);
  });

  it('every error example carries the code that it is named after', () => {
    for (const [code, { value }] of Object.entries(document.components['examples'] ?? {})) {
      expect(value).to.include({ code });
    }
  });
});
