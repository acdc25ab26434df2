import { endpoints } from '@paper/contracts';
import type { Endpoint } from '@paper/contracts';
import type { KeyPurpose } from '../keys/portal-keys.ts';

export interface PassedEndpoint {
  readonly endpoint: Endpoint;
  /** The stored key for the person's own account. */
  readonly own: KeyPurpose;
  /** Whether a sub-account's view key suffices, which is so only for reads. */
  readonly ofSubAccounts: boolean;
}

/** An id within a path, as it was sent. Only dots would mean another path to a proxy, and so would an encoded slash. */
const SEGMENT = '(?!\\.{1,2}(?:/|$))[A-Za-z0-9._:~-]+';

/** Reads that are passed on with the key `master`, since the everyday key may not read them. */
const WITH_MASTER_KEY: ReadonlySet<string> = new Set([
  endpoints.listLedger.id,
  endpoints.listBacktests.id,
  endpoints.getBacktest.id,
  endpoints.getBacktestReport.id,
]);

const MATCHING = Object.values(endpoints as Readonly<Record<string, Endpoint>>).map((endpoint) => {
  const pattern = endpoint.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, SEGMENT);
  return { endpoint, method: endpoint.method.toUpperCase(), path: new RegExp(`^${pattern}$`) };
});

/** The endpoints that people may call through the portal; `keyedBy`: public ones that need a key for past states. */
const OF_PEOPLE = MATCHING.filter(({ endpoint: { auth, id, keyedBy, permission } }) => {
  const isForPeople = auth === 'key' && (permission === null || permission === 'view' || permission === 'trade');
  return isForPeople || keyedBy !== null || WITH_MASTER_KEY.has(id);
});

const OF_OPERATORS = MATCHING.filter(({ endpoint }) => endpoint.auth === 'operator');

/** The endpoint for this method and path of the API; null if there is none, or calls to it are not passed on. */
export function findPassed(method: string, path: string): PassedEndpoint | null {
  const endpoint = findIn(OF_PEOPLE, method, path);
  if (endpoint === null) return null;
  const needsMaster = WITH_MASTER_KEY.has(endpoint.id);
  const ofSubAccounts = endpoint.kind === 'read' && endpoint.permission !== 'trade' && !needsMaster;
  return { endpoint, own: needsMaster ? 'master' : 'everyday', ofSubAccounts };
}

export function findOperatorEndpoint(method: string, path: string): Endpoint | null {
  return findIn(OF_OPERATORS, method, path);
}

function findIn(list: typeof MATCHING, method: string, path: string): Endpoint | null {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = list.filter((one) => one.method === wanted && one.path.test(path)).map(({ endpoint }) => endpoint);
  // A path without a parameter precedes one with a parameter.
  return found.find((endpoint) => !endpoint.path.includes('{')) ?? found[0] ?? null;
}
