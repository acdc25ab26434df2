import { pathWithQuery } from './api-request.ts';
import { OPERATIONS } from './generated/operations.ts';
import { refusalBy } from './refusal.ts';

type OperationId = keyof typeof OPERATIONS;

/** The values in a request's path, and its query. */
export interface RequestParts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

const PATHS: ReadonlySet<string> = new Set(Object.values(OPERATIONS).map(({ path }) => path));
/** Segments that URL parsing drops from a path: `/api/markets/..` is `/api`. */
const DROPPED: ReadonlySet<string> = new Set(['', '.', '..']);

/** `METHOD path` of an operation, for errors. */
export function operationName(id: OperationId): string {
  const { method, path } = OPERATIONS[id];
  return `${method} ${path}`;
}

/**
 * The path of an operation with its parameters and its query. @throws MarketNotFound, NotFound for a value that would
 * make another path, such as `signals` as the id of a market
 */
export function operationPath(id: OperationId, { params, query }: RequestParts): string {
  const { path } = OPERATIONS[id];
  const segments: string[] = [];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const segment = encodeURIComponent(String(params?.[name]));
    segments.push(segment);
    return segment;
  });
  const isOther = segments.some((segment) => DROPPED.has(segment)) || (filled !== path && PATHS.has(filled));
  if (!isOther) return pathWithQuery(filled, query);
  const code = /\/(markets|orderbook)\/\{/.test(path) ? 'market_not_found' : 'not_found';
  throw refusalBy(operationName(id), 404, code, `Nothing has the id "${segments.join()}"`);
}
