import { readFileSync } from 'node:fs';

/** The text of a file; null if it does not exist: a server that stops removes its files at any moment. */
export function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
