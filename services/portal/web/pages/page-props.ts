export type PageProps = Readonly<{ params: Readonly<Record<string, string>> }>;
