/** An answer of the API, for the server's first paint and for the browser. */
export interface ReadAnswer<T = unknown> {
  readonly body: T;
  /** The journal sequence of the answer. */
  readonly seq: number;
  /** The path of a list's next page; null for the last page. */
  readonly next: string | null;
  /** The error of a 404; `body` is null then. Absent for other answers. */
  readonly missing?: { readonly code: string; readonly error: string };
}

export type PageReads = Readonly<Record<string, ReadAnswer>>;
