import { portalCall } from '../../data/api/calls.ts';

const PASSED_THROUGH = '/portal/operator/api/';

/** The path of a read or command of operators, to which the portal adds the session's token. */
export function operatorPath(path: string): `/portal/${string}` {
  return `${PASSED_THROUGH}${path}`;
}

export function operatorCommand<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> {
  return portalCall<T>(method, operatorPath(path), body);
}
