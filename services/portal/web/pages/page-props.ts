/** The props of each page. */
export interface PageProps {
  /** The parameters of its path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}
