import { portalCall } from '../../api/calls.ts';

const API = '/api/operator/';
const PASSED_THROUGH = '/portal/operator/api/';

/** The portal's path for a read or command of operators: the session's token is added there. */
export function operatorPath(path: string): `/portal/${string}` {
  return `${PASSED_THROUGH}${path}`;
}

/** The same for the next page of a list, whose link names the API's own path. */
export function passedThrough(next: string | null): `/portal/${string}` | null {
  return next?.startsWith(API) === true ? operatorPath(next.slice(API.length)) : null;
}

/** Sends a command of operators. @throws CallError */
export function operatorCommand<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> {
  return portalCall<T>(method, operatorPath(path), body);
}
