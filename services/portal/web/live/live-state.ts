/** How a stream of the service is. `message`: why it is not live, in the service's own words where it answered. */
export interface LiveState {
  readonly kind: 'connecting' | 'live' | 'reconnecting';
  readonly message: string | null;
}

export const CONNECTING: LiveState = { kind: 'connecting', message: null };
