import { readFileSync } from 'node:fs';

/** The text of a file; null where there is none: a server that ends removes its files at any moment. */
export function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
