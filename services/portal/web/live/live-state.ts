/** How a stream of the service is. `message`: why it is not live, in the service's own words where it answered. */
export interface LiveState {
  readonly kind: 'connecting' | 'live' | 'reconnecting';
  readonly message: string | null;
}

export const CONNECTING: LiveState = { kind: 'connecting', message: null };

/** Whether two states read alike. */
export function isSameState(a: LiveState, b: LiveState): boolean {
  return a.kind === b.kind && a.message === b.message;
}
