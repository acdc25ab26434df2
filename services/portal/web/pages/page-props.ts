export interface PageProps {
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
}
