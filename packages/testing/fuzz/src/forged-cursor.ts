import { sealCursor } from '@paper/query-api';
import type { CursorScope } from '@paper/query-api';
import type { Random } from '@paper/testkit';
import type { Operation } from './api.ts';
import { permittedDraft, requestOf } from './request.ts';
import type { Draft, FuzzRequest, FuzzContext } from './request.ts';

const REFUSED = { statuses: [400], code: 'validation_failed' } as const;

/** Contents that the cursor of no list has. */
const CONTENTS = [
  ...['', 'x', 'null', 'true', '{}', '[]', '""', '"1"', '0', '-1', '1.5', '1e400', '-0', '9007199254740993', '5 5'],
  ...['[1]', '[1,1,1]', '["live"]', '["live","1"]', '["Live",1]', '["ended",-1]', '["ended",1e20]', '[0,0]', '[1,-1]'],
  ...['[1,1.5]', '[null,null]', '[[1],[1]]', '{"0":1,"1":1}', '{"__proto__":1}', '{"toString":1}', '\u0000', '1\u0000'],
  ...['1;drop table markets', "1' or '1'='1", '[1,"fills",1]', '[2,"fills",1]', '9'.repeat(300), '['.repeat(300)],
];

/**
 * Makes a request with a forged cursor: for this list with invalid content, or for another scope with valid content.
 */
export function forgedCursor(random: Random, operation: Operation, context: FuzzContext): FuzzRequest | null {
  if (!operation.parameters.some(({ name }) => name === 'cursor')) return null;
  const draft = permittedDraft(random, operation, context);
  draft.query = draft.query.filter(([name]) => name !== 'cursor');
  const scope = scopeOf(draft, context);
  const position = positionOf(draft);
  const secret = context.cursorSecret;
  const other = Buffer.alloc(secret.length, random.hex(8));
  const [kind, cursor] = random.weighted<readonly [string, string]>([
    [6, ['signed rightly, with no position in it', sealCursor(secret, scope, random.pick(CONTENTS))]],
    [1, ['signed with another secret', sealCursor(other, scope, position)]],
    [1, ['signed for another list', sealCursor(secret, { ...scope, list: 'listEverything' }, position)]],
    [1, ['signed for another account', sealCursor(secret, { ...scope, account: random.hex(8) }, position)]],
    [1, ['signed for other filters', sealCursor(secret, { ...scope, filters: { x: random.hex(8) } }, position)]],
    [1, [RIGHT, sealCursor(secret, scope, position)]],
  ]);
  draft.query.push(['cursor', cursor]);
  // A list of one market, order or account may be refused because that thing does not exist.
  const isOf = operation.template.includes('{') || draft.query.some(([name]) => name === 'accountId');
  const expected = kind !== RIGHT ? REFUSED : isOf ? null : { statuses: [200] };
  return requestOf(draft, `cursor: ${kind}`, expected);
}

/** The kind of cursor with a correct signature. All other cursors may be refused because of their signature. */
const RIGHT = 'signed rightly, with a position in it';

/** A valid position in the list of this request. */
function positionOf({ operation: { id }, query }: Draft): string {
  if (id === 'listOrders') return '["live",1]';
  if (id === 'listLedger') return '[1,0]';
  const sort = id === 'listMarkets' ? query.find(([name]) => name === 'sort')?.[1] : undefined;
  if (sort === 'closing') return '[1,"market-1"]';
  return sort === 'activity' || sort === 'movement' ? '[60000,1,"market-1"]' : '1';
}

/** The scope that the service computes for this request. */
function scopeOf({ operation, path, query }: Draft, { principals }: FuzzContext): CursorScope {
  const names = [...operation.template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pattern = new RegExp(`^${operation.template.replace(/\{\w+\}/g, '([^/]+)')}$`);
  const values = (pattern.exec(path) ?? []).slice(1).map(decodeURIComponent);
  const filtering = operation.parameters.filter(({ name }) => !['cursor', 'format', 'limit'].includes(name));
  const known = new Set(filtering.map(({ name }) => name));
  const defaults = filtering.flatMap(({ name, schema }) =>
    schema.default === undefined ? [] : [[name, schema.default] as const],
  );
  const filters = [...defaults, ...query.filter(([name]) => known.has(name))];
  return {
    list: operation.id,
    account: operation.auth === 'key' ? principals.primaryId : null,
    filters: Object.fromEntries([...names.map((name, at) => [name, values[at]] as const), ...filters]),
  };
}
