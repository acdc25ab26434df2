import { portalCall } from '../../data/api/calls.ts';

const PASSED_THROUGH = '/portal/operator/api/';

/** The portal's path for a read or command of operators. The portal adds the session's token to such calls. */
export function operatorPath(path: string): `/portal/${string}` {
  return `${PASSED_THROUGH}${path}`;
}

/**
 * Sends a command of operators.
 * @throws CallError
 */
export function operatorCommand<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> {
  return portalCall<T>(method, operatorPath(path), body);
}
