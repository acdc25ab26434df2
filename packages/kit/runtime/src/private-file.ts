import { chmodSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Writes a file of mode 600 atomically: a reader never sees half of it, and a kill during the write leaves the previous
 * content.
 */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600 });
  // Node ignores `mode` above where a killed process left its draft file.
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}
