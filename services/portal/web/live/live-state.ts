/** `message`: why the stream is not live, in the service's own words if it answered. */
export type LiveState = Readonly<{ kind: 'connecting' | 'live' | 'reconnecting'; message: string | null }>;

export const CONNECTING: LiveState = { kind: 'connecting', message: null };

export function withState<T extends { readonly state: LiveState }>(before: T, state: LiveState): T {
  const { kind, message } = before.state;
  return kind === state.kind && message === state.message ? before : { ...before, state };
}
