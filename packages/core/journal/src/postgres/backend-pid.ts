import type pg from 'pg';

/** The process id of a connection's backend, as the server named it. @types/pg does not declare it. */
export function backendPid(client: pg.PoolClient): number {
  return (client as unknown as { readonly processID: number }).processID;
}
