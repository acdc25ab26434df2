export function ensureInstalled(root: string, wanted: 'prod' | 'full'): Promise<void>;
export function packagesOf(output: string): string;
