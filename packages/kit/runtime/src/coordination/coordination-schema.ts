/**
 * Creates the schema `coordination`, which holds what processes share apart from the journal. Does nothing where the
 * schema exists. The lock lasts until the transaction ends: two processes that start at once must not both create.
 */
export const COORDINATION_SCHEMA = `
  select pg_advisory_xact_lock(hashtext('paper leases'));
  create schema if not exists coordination;`;
