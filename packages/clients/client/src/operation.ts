/**
 * The places of decimal numbers in a JSON value. 1: the value is one. A name: as in the schema of that name. An object:
 * the shape of each property. An array has the shape of its items.
 */
export type Shape = 1 | string | { readonly [property: string]: Shape };

/** The facts about an operation of the API that the client needs. */
export interface Operation {
  readonly method: string;
  /** The path, with `{name}` for a parameter. */
  readonly path: string;
  readonly kind: 'command' | 'read';
  readonly auth: 'public' | 'key' | 'operator';
  /** Whether it accepts an Idempotency-Key. Other commands set a state, so that a repeat changes nothing. */
  readonly idempotent: boolean;
  readonly streams: boolean;
  /** The decimal numbers of the request's body; below, of the answer. Null: there are none. */
  readonly body: Shape | null;
  readonly answer: Shape | null;
}
