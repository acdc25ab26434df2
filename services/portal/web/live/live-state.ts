/** `message`: why the stream is not live, in the service's words if it answered. */
export interface LiveState {
  readonly kind: 'connecting' | 'live' | 'reconnecting';
  readonly message: string | null;
}

export const CONNECTING: LiveState = { kind: 'connecting', message: null };

export function withState<T extends { readonly state: LiveState }>(before: T, state: LiveState): T {
  const { kind, message } = before.state;
  return kind === state.kind && message === state.message ? before : { ...before, state };
}
