/** `params`: the decoded parameters of the path. */
export type PageProps = Readonly<{ params: Readonly<Record<string, string>> }>;
