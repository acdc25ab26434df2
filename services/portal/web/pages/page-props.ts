/** The props of each page. */
export interface PageProps {
  /** The decoded parameters of the page's path. */
  readonly params: Readonly<Record<string, string>>;
}
