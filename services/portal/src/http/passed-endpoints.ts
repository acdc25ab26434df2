import { endpoints } from '@paper/contracts';
import type { Endpoint } from '@paper/contracts';
import type { KeyPurpose } from '../keys/portal-keys.ts';

/** An endpoint of the API to which people's calls are passed. */
export interface PassedEndpoint {
  readonly endpoint: Endpoint;
  /** The stored key for the person's own account. */
  readonly own: KeyPurpose;
  /** Whether a sub-account's view key suffices, which is so only for reads. */
  readonly ofSubAccounts: boolean;
}

/** The requests that an endpoint serves. */
interface Matching {
  readonly method: string;
  readonly path: RegExp;
}

/** An id within a path, as it was sent. Only dots would mean another path to a proxy, and so would an encoded slash. */
const SEGMENT = '(?!\\.{1,2}(?:/|$))[A-Za-z0-9._:~-]+';

/**
 * Reads that are passed on with the second key, since the everyday key may not read them: the ledger, and backtests.
 */
const WITH_SECOND_KEY: ReadonlySet<string> = new Set([
  endpoints.listLedger.id,
  endpoints.listBacktests.id,
  endpoints.getBacktest.id,
  endpoints.getBacktestReport.id,
]);

/**
 * The endpoints to which calls are passed: those for keys whose permission is view or trade, or none, public ones that
 * need a key for a historical state, and those of the second key.
 */
const PASSED: readonly (PassedEndpoint & Matching)[] = Object.values(
  endpoints as Readonly<Record<string, Endpoint>>,
).flatMap((endpoint) => {
  const { auth, keyedBy, kind, permission } = endpoint;
  const isOfSecondKey = WITH_SECOND_KEY.has(endpoint.id);
  const isForPeople = auth === 'key' && (permission === null || permission === 'view' || permission === 'trade');
  if (!isForPeople && keyedBy === null && !isOfSecondKey) return [];
  return [
    {
      endpoint,
      own: isOfSecondKey ? 'master' : 'everyday',
      ofSubAccounts: kind === 'read' && permission !== 'trade' && !isOfSecondKey,
      ...matching(endpoint),
    } as const,
  ];
});

/** The endpoints of operators. */
const OF_OPERATORS: readonly ({ readonly endpoint: Endpoint } & Matching)[] = Object.values(
  endpoints as Readonly<Record<string, Endpoint>>,
).flatMap((endpoint) => (endpoint.auth === 'operator' ? [{ endpoint, ...matching(endpoint) }] : []));

/** The endpoint for this method and path of the API; null if there is none, or calls to it are not passed on. */
export function findPassed(method: string, path: string): PassedEndpoint | null {
  return findIn(PASSED, method, path);
}

/** The operators' endpoint for this method and path of the API; null if there is none. */
export function findOperatorEndpoint(method: string, path: string): Endpoint | null {
  return findIn(OF_OPERATORS, method, path)?.endpoint ?? null;
}

function matching({ method, path }: Endpoint): Matching {
  const pattern = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, SEGMENT);
  return { method: method.toUpperCase(), path: new RegExp(`^${pattern}$`) };
}

function findIn<T extends { readonly endpoint: Endpoint } & Matching>(
  list: readonly T[],
  method: string,
  path: string,
): T | null {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = list.filter((one) => one.method === wanted && one.path.test(path));
  // A path without a parameter precedes one with a parameter.
  return found.find(({ endpoint }) => !endpoint.path.includes('{')) ?? found[0] ?? null;
}
