import { JournalUnreadable } from '@paper/command-side';
import { FolderInUse } from '@paper/runtime';
import { JournalDamaged } from '@paper/journal';

/** Explains errors of a start that only the standalone can have; null for any other. */
export function explainStandalone(error: unknown): string | null {
  if (error instanceof FolderInUse || error instanceof JournalDamaged || error instanceof JournalUnreadable) {
    return error.message;
  }
  const { code, syscall, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (syscall !== 'listen' || code !== 'EADDRINUSE') return null;
  return `Port ${port} of ${address} is taken. Choose another: npm start -- --port ${(port ?? 4000) + 1}`;
}
