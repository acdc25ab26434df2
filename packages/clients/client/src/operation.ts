/**
 * The positions of decimal numbers in a JSON value: 1 for the value itself, a name for a named schema's, and an object
 * for those of its properties. An array has the shape of its items.
 */
export type Shape = 1 | string | { readonly [property: string]: Shape };

/** An operation of the API, with what the client needs of it. */
export interface Operation {
  /** Upper case. */
  readonly method: string;
  /** The path, with `{name}` for a parameter. */
  readonly path: string;
  readonly kind: 'command' | 'read';
  readonly auth: 'public' | 'key' | 'operator';
  /** Honours an Idempotency-Key. Other commands set a state, so that a repeat changes nothing. */
  readonly idempotent: boolean;
  /** Answers with server-sent events. */
  readonly streams: boolean;
  /** Decimal numbers of the request's body and of the answer; null: there are none. */
  readonly body: Shape | null;
  readonly answer: Shape | null;
}
