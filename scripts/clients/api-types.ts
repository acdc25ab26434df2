import openapiTS, { astToString, NULL, UNDEFINED } from 'openapi-typescript';
import ts from 'typescript';
import { ERRORS } from '@paper/contracts';
import { apiDocument, DECIMAL } from './api-document.ts';
import type { ApiOperation, Schema } from './api-document.ts';
import { DecimalShapes } from './decimal-shapes.ts';

const HEADER = '// Generated from the endpoints of @paper/contracts by `npm run build:client-types`. Do not edit.\n\n';
const FOLDER = 'packages/clients/client/src/generated';
const OPERATIONS = 'Operations';
/** Comments that say what the type says. */
const SUPERFLUOUS = /^ *\/\*\* (?:@enum \{\w+\}|Format: decimal) \*\/\n|^ +\* (?:@enum \{\w+\}|Format: decimal)\n/gm;

export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    [`${FOLDER}/api.ts`, await apiTypes()],
    [`${FOLDER}/operations.ts`, operationTable()],
    [`${FOLDER}/errors.ts`, errorClasses()],
  ]);
}

/** Plain types of every request and answer. `D` is the type of decimal numbers in them. */
async function apiTypes(): Promise<string> {
  const { operations, schemas } = apiDocument();
  const shapes = new DecimalShapes(schemas);
  const all = { ...schemas, [OPERATIONS]: objectSchema(operations.map((one) => [one.id, operationSchema(one)])) };
  const nodes = await openapiTS(
    { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas: all } } as never,
    {
      defaultNonNullable: false,
      immutable: true,
      transform: ({ format, type }) => {
        if (format !== DECIMAL) return undefined;
        const decimal = ts.factory.createTypeReferenceNode('D');
        return Array.isArray(type) && type.includes('null') ? ts.factory.createUnionTypeNode([decimal, NULL]) : decimal;
      },
    },
  );
  const generic = new Set([...Object.keys(shapes.named), OPERATIONS]);
  const types = schemaMembers(nodes).map((member) => declaration(member, generic));
  const text = types.join('\n').replaceAll(SUPERFLUOUS, '').replaceAll('@description ', '');
  return `${HEADER}/** A decimal number: a number, or its exact text such as '0.41'. */\nexport type Decimal = number | string;\n\n${text}`;
}

const objectSchema = (entries: readonly (readonly [string, Schema])[]): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(entries),
  required: entries.map(([name]) => name),
});

function operationSchema({ answer, body, params, query, summary }: ApiOperation): Schema {
  const parts = Object.entries({ params, query, body, answer }).filter(
    (part): part is [string, Schema] => part[1] !== null,
  );
  return { ...objectSchema(parts), description: `${summary}.` };
}

function schemaMembers(nodes: readonly ts.Node[]): readonly ts.PropertySignature[] {
  for (const node of nodes) {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'components') continue;
    for (const member of node.members) {
      if (!ts.isPropertySignature(member) || !ts.isIdentifier(member.name) || member.name.text !== 'schemas') continue;
      if (member.type !== undefined && ts.isTypeLiteralNode(member.type)) {
        return member.type.members.filter(ts.isPropertySignature);
      }
    }
  }
  throw new Error('openapi-typescript gave no schemas');
}

/** A schema as a type. Optional properties also take undefined, so that a caller may pass undefined values on. */
function declaration(member: ts.PropertySignature, generic: ReadonlySet<string>): string {
  if (!ts.isIdentifier(member.name) || member.type === undefined) throw new Error('a schema without a name or a type');
  const name = member.name.text;
  const visit = (node: ts.Node): ts.Node => {
    const visited = ts.visitEachChild(node, visit, undefined);
    if (!ts.isPropertySignature(visited) || visited.questionToken === undefined || visited.type === undefined) {
      return visited;
    }
    const type = ts.factory.createUnionTypeNode([visited.type, UNDEFINED]);
    const { modifiers, name: property, questionToken } = visited;
    const updated = ts.factory.updatePropertySignature(visited, modifiers, property, questionToken, type);
    return ts.setSyntheticLeadingComments(updated, ts.getSyntheticLeadingComments(node));
  };
  const type = visit(member.type);
  const isInterface = ts.isTypeLiteralNode(type);
  const text = astToString(type).trim();
  const parameter = generic.has(name) ? '<D = number>' : '';
  const comment = ts
    .getSyntheticLeadingComments(member)
    ?.map(({ text: said }) => `/*${said}*/\n`)
    .join('');
  const head = `${comment ?? ''}export ${isInterface ? `interface ${name}${parameter} ` : `type ${name}${parameter} = `}`;
  const body = text.replaceAll(/components\["schemas"\]\["(\w+)"\]/g, (_, other: string) =>
    generic.has(other) ? `${other}<D>` : other,
  );
  return `${head}${name === OPERATIONS ? inputsOf(body) : body}${isInterface ? '' : ';'}\n`;
}

/** A request may give a decimal as a number or as a text, whichever form answers have. */
const inputsOf = (body: string): string => body.replaceAll(/^(\s+readonly body: .*)<D>/gm, '$1<Decimal>');

/** The facts about each operation that the client needs at run time. */
function operationTable(): string {
  const { operations, schemas } = apiDocument();
  const shapes = new DecimalShapes(schemas);
  const rows = operations.map(({ answer, body, endpoint, id }) => {
    const { idempotent, kind, method, path, streams, auth } = endpoint;
    const row = {
      method: method.toUpperCase(),
      path,
      kind,
      auth,
      idempotent,
      streams,
      body: body === null ? null : shapes.of(body),
      answer: shapes.of(answer),
    };
    return `  ${id}: ${JSON.stringify(row)},`;
  });
  const single = schemas['CreateOrderInput']?.properties ?? {};
  const ofItems = Object.keys(schemas['OrderItem']?.properties ?? {}).filter((field) => !(field in single));
  const named = Object.entries(shapes.named).map(([name, shape]) => `  ${name}: ${JSON.stringify(shape)},`);
  return `${HEADER}import type { Operation, Shape } from '../operation.ts';

/** Every operation of the API by its id. */
export const OPERATIONS = {
${rows.join('\n')}
} as const satisfies Readonly<Record<string, Operation>>;

/** The fields that an order of a batch has and a single order does not. */
export const ITEM_FIELDS = ${JSON.stringify(ofItems)} as const;

/** The places of decimal numbers in the named schemas. */
export const SHAPES: Readonly<Record<string, Shape>> = {
${named.join('\n')}
};
`;
}

/** A class for each error code. */
function errorClasses(): string {
  const codes = Object.entries(ERRORS);
  const classes = codes.map(
    ([code, { remedy, status, when }]) => `/** ${status} \`${code}\`: ${when}. ${remedy} */
export class ${classOf(code)} extends ApiRefusal {
  override readonly name: string = '${classOf(code)}';
  declare readonly code: '${code}';
}
`,
  );
  return `${HEADER}import { ApiRefusal } from '../errors.ts';

/** The kinds of refusals: stable, for programs. */
export type ErrorCode =
${codes.map(([code]) => `  | '${code}'`).join('\n')};

${classes.join('\n')}
/** The class of each code. */
export const REFUSALS: Readonly<Record<ErrorCode, typeof ApiRefusal>> = {
${codes.map(([code]) => `  ${code}: ${classOf(code)},`).join('\n')}
};
`;
}

/** `not_found` → `NotFound`. Two names that would read like another kind of error get a prefix. */
function classOf(code: string): string {
  const name = code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return name === 'Internal' ? 'InternalError' : name;
}
