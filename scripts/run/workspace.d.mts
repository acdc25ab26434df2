export function workspaceFolders(root: string): readonly string[];
