import { chmodSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Writes a file that only its owner may read (mode 600), whole or not at all: a reader never sees half of it, and a
 * kill in the middle leaves the former one.
 */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600 });
  // The mode above is ignored where a draft of a killed process was left behind.
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}
