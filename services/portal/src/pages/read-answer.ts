/** An answer of the API, for the server's first paint and for the browser. */
export interface ReadAnswer<T = unknown> {
  readonly body: T;
  /** The journal sequence that the answer is true at. */
  readonly seq: number;
  /** The path of the next page of a list; null: this is the last one. */
  readonly next: string | null;
  /** Why there is nothing (404); `body` is null then. Left out: there is. */
  readonly missing?: { readonly code: string; readonly error: string };
}

/** The answers that come with a page, by path. */
export type PageReads = Readonly<Record<string, ReadAnswer>>;
