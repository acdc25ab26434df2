import { ConfigError } from '../config/config-error.ts';
import { StartRefused } from '../start-refused.ts';

/** Error codes of the database: no listener, no such host, wrong password, no such user, no such database. */
const DATABASE_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', '28P01', '28000', '3D000']);

export function explainFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartRefused) return error.message;
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    return `Port ${port} of ${address} is taken. PORT and METRICS_PORT choose others.`;
  }
  if (syscall === 'listen') return `${address}:${port} cannot be listened on (${code}). HOST and PORT say where.`;
  if (DATABASE_CODES.has(code ?? '')) return `The database cannot be used (DATABASE_URL): ${error.message || code}`;
  return error.stack ?? error.message;
}

/** The exit code: 2 if a start cannot work until a person changes something, else 1. */
export function exitCodeOf(error: unknown): 1 | 2 {
  const { syscall } = error as NodeJS.ErrnoException;
  return error instanceof ConfigError || error instanceof StartRefused || syscall === 'listen' ? 2 : 1;
}
