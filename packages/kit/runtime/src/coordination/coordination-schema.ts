/** Creates the schema of what processes share besides the journal. The lock is against two starts at once. */
export const COORDINATION_SCHEMA = `
  select pg_advisory_xact_lock(hashtext('paper leases'));
  create schema if not exists coordination;`;

/** Creates the table of leases if it is missing. Run by the database's owner if services have fewer rights. */
export const LEASE_TABLES = `
  ${COORDINATION_SCHEMA}
  create table if not exists coordination.leases (
    name text primary key,
    holder text not null,
    address text not null,
    term bigint not null,
    expires_at timestamptz not null
  );`;
