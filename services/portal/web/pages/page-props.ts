/** What each page gets. */
export interface PageProps {
  /** The parameters of its path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}
