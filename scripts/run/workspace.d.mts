export function workspaceFolders(root: string): readonly string[];
export function filesBelow(root: string, folders: readonly string[]): string[];
