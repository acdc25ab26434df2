import { readFile } from 'node:fs/promises';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file',
};

/**
 * Reads a text file and makes a plan from it. @throws Error that begins with the file's name, which replaces `FILE` in
 * it.
 */
export async function planOfFile<P>(file: string, plan: (text: string) => P): Promise<P> {
  try {
    return plan(await readFile(file, 'utf8'));
  } catch (error) {
    const reason =
      REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? (error as Error).message.replaceAll('FILE', file);
    throw new Error(`${file}: ${reason}`, { cause: error });
  }
}
