import { portalCall } from '../../data/api/calls.ts';

const PASSED_THROUGH = '/portal/operator/api/';

/** The portal's path of an operator's call. The portal adds the session's token. */
export function operatorPath(path: string): `/portal/${string}` {
  return `${PASSED_THROUGH}${path}`;
}

export function operatorCommand<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> {
  return portalCall<T>(method, operatorPath(path), body);
}
