import { randomBytes } from 'node:crypto';
import { createPostgresJournal, restoreJournalGuards } from '@paper/journal';
import { SnapshotStore } from '@paper/command-side';
import { createNameTables } from '@paper/names';
import { ConfigError, withClient } from '@paper/runtime';
import { byRole, DATABASE_ROLES, LEASE_TABLES, prepareSecrets } from '@paper/runtime/coordination';
import type { ByRole, DatabaseRole } from '@paper/runtime/coordination';
import type pg from 'pg';
import { scramVerifier } from './scram-verifier.ts';

const { command: COMMAND, projector: PROJECTOR, reader: READER, portal: PORTAL, backtests: BACKTESTS } = DATABASE_ROLES;
/** The roles that use the exchange's tables. The portal uses the public API, backtests databases of their own. */
const EXCHANGE = [COMMAND, PROJECTOR, READER].join(', ');

/** Ownership and grants of the roles, as final states. Postgres refuses everything that is not granted. */
const GRANTS = `
  -- The owner transfers objects to the roles, and sets their default privileges.
  grant ${COMMAND}, ${PROJECTOR}, ${PORTAL} to current_user;

  -- Each role creates its own schemas: the read models, the snapshots.
  do $$ begin
    execute format('grant connect on database %I to ${EXCHANGE}, ${PORTAL}, ${BACKTESTS}', current_database());
    execute format('grant create on database %I to ${COMMAND}, ${PROJECTOR}',
      current_database());
    -- Otherwise a role could plant functions in a schema named after another role, which its search path would find first.
    execute format('alter database %I set search_path = pg_catalog', current_database());
  end $$;

  -- The most exposed part gets its schema made, and no right to make others.
  create schema if not exists portal authorization ${PORTAL};

  -- Each backtest has a database of its own. An owner that may not make databases cannot let another role.
  do $$ begin
    alter role ${BACKTESTS} createdb;
  exception when insufficient_privilege then
    raise notice '${BACKTESTS} cannot make databases, and so no backtests: only a superuser can let it';
  end $$;

  grant usage on schema coordination to ${EXCHANGE};
  grant select on coordination.leases to ${EXCHANGE};
  grant insert, update on coordination.leases to ${COMMAND}, ${PROJECTOR};
  -- A role can write the leases of its own part only.
  alter table coordination.leases enable row level security;
  drop policy if exists all_see_leases on coordination.leases;
  create policy all_see_leases on coordination.leases for select to ${EXCHANGE} using (true);
  drop policy if exists command_takes_writers on coordination.leases;
  create policy command_takes_writers on coordination.leases
    to ${COMMAND} using (name like 'writer:%') with check (name like 'writer:%');
  drop policy if exists projector_takes_projectors on coordination.leases;
  create policy projector_takes_projectors on coordination.leases
    to ${PROJECTOR} using (name like 'projector:%') with check (name like 'projector:%');

  -- The writer notifies of appends. Only a superuser can revoke pg_notify from PUBLIC; the statement NOTIFY cannot be revoked.
  do $$ begin
    revoke execute on function pg_catalog.pg_notify(text, text) from public;
    grant execute on function pg_catalog.pg_notify(text, text) to ${COMMAND};
    execute format('grant execute on function pg_catalog.pg_notify(text, text) to %I', current_user);
  exception when insufficient_privilege then
    raise notice 'EXECUTE on pg_notify stays granted to PUBLIC: only a superuser can revoke it';
  end $$;

  grant select on coordination.secrets to ${COMMAND}, ${READER};
  drop policy if exists command_reads_fingerprints on coordination.secrets;
  create policy command_reads_fingerprints on coordination.secrets
    for select to ${COMMAND} using (name = 'fingerprints');
  drop policy if exists reader_reads_cursors on coordination.secrets;
  create policy reader_reads_cursors on coordination.secrets
    for select to ${READER} using (name = 'cursors');

  grant select on coordination.names to ${COMMAND}, ${READER};
  grant insert, update, delete on coordination.names to ${COMMAND};
  -- Every process that admits keys notes their uses; nothing is decided by them.
  grant select, insert, update on coordination.key_uses to ${COMMAND}, ${READER};
  grant delete on coordination.key_uses to ${COMMAND};

  alter default privileges for role ${PROJECTOR}
    grant usage on schemas to ${COMMAND}, ${READER};
  alter default privileges for role ${PROJECTOR}
    grant select on tables to ${COMMAND}, ${READER};
`;

const JOURNAL_GRANTS = `
  revoke all on schema journal from ${EXCHANGE};
  revoke all on all tables in schema journal from ${EXCHANGE};
  grant usage on schema journal to ${EXCHANGE};
  grant select on journal.head, journal.public_events to ${EXCHANGE};
  -- The reader's role must not see private parts.
  grant select on journal.events to ${COMMAND}, ${PROJECTOR};
  grant insert on journal.events to ${COMMAND};
  grant insert, update on journal.head to ${COMMAND};
`;

/** Takes back the owner's objects that a role created: a projector without JOURNAL_URL creates the journal's schema. */
const TAKE_BACK = `
  do $$
  declare
    part record;
  begin
    for part in
      select distinct rolname from pg_roles join pg_class on relowner = pg_roles.oid
      where rolname in ('${Object.values(DATABASE_ROLES).join("', '")}')
        and relnamespace in (to_regnamespace('journal'), to_regnamespace('coordination'))
      union select rolname from pg_roles join pg_namespace on nspowner = pg_roles.oid
      where rolname in ('${Object.values(DATABASE_ROLES).join("', '")}') and nspname in ('journal', 'coordination')
    loop
      execute format('grant %I to current_user', part.rolname);
    end loop;
    for part in select nspname from pg_namespace
      where nspname in ('journal', 'coordination') and nspowner <> to_regrole(quote_ident(current_user))
    loop
      execute format('alter schema %I owner to %I', part.nspname, current_user);
    end loop;
    for part in select c.oid::regclass as name, relkind from pg_class c
      where relnamespace in (to_regnamespace('journal'), to_regnamespace('coordination'))
        and relkind in ('r', 'v', 'S') and relowner <> to_regrole(quote_ident(current_user))
    loop
      execute format('alter %s %s owner to %I',
        case part.relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end, part.name, current_user);
    end loop;
    for part in select p.oid::regprocedure as name from pg_proc p
      where pronamespace in (to_regnamespace('journal'), to_regnamespace('coordination'))
        and proowner <> to_regrole(quote_ident(current_user))
    loop
      execute format('alter function %s owner to %I', part.name, current_user);
    end loop;
  end $$;
`;

const OF_ROLES = `
  select exists (
    select from pg_namespace n left join pg_class c on c.relnamespace = n.oid
    where n.nspname = 'journal' and (n.nspowner <> to_regrole(quote_ident(current_user))
      or c.relkind in ('r', 'v') and c.relowner <> to_regrole(quote_ident(current_user)))) as taken,
    to_regclass('journal.events') is not null as there`;

/** Transfers what was created before there were roles, or by the owner since, to the role that should own it. */
const HAND_OVER = `
  do $$
  declare
    found record;
    part record;
  begin
    for found in
      select nspname as schema,
        case nspname when 'snapshots' then '${COMMAND}' when 'portal' then '${PORTAL}' else '${PROJECTOR}' end as role
      from pg_namespace where nspname in ('snapshots', 'portal', 'read_models') or nspname ~ '^read_v[0-9]'
    loop
      execute format('alter schema %I owner to %I', found.schema, found.role);
      for part in
        select relname, relkind from pg_class
        where relnamespace = to_regnamespace(quote_ident(found.schema)) and relkind in ('r', 'v', 'S')
          and relowner <> to_regrole(found.role)
        -- A sequence of a column goes with its table, and cannot go alone.
        order by relkind <> 'r'
      loop
        execute format('alter %s %I.%I owner to %I',
          case part.relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end,
          found.schema, part.relname, found.role);
      end loop;
      if found.role = '${PROJECTOR}' then
        execute format('grant usage on schema %I to ${COMMAND}, ${READER}', found.schema);
        execute format('grant select on all tables in schema %I to ${COMMAND}, ${READER}',
          found.schema);
      end if;
    end loop;
  end $$;
`;

export interface RolesOptions {
  /** The connection string of the database's owner, who may create roles. */
  readonly connectionString: string;
  /** The shard whose journal gets a head row if it has none. */
  readonly shard: string;
  /** False where the journal is in EventStoreDB. */
  readonly journalIsHere: boolean;
}

/**
 * Creates missing tables and roles, sets passwords, and grants each role exactly what it needs, at any time. A role
 * without a password here keeps its own; a new one without one cannot log in.
 * @throws ConfigError when the owner may not create roles, before anything is changed; Error when the database cannot
 * be reached.
 */
export async function prepareRoles(
  { connectionString, journalIsHere, shard }: RolesOptions,
  passwords: Partial<ByRole<string>>,
): Promise<void> {
  const asOwner = { connectionString: withoutSearchPath(connectionString) };
  await assertMayMakeRoles(asOwner, passwords);
  await takeBack(asOwner);
  if (journalIsHere) await (await createPostgresJournal({ ...asOwner, shard })).close();
  await new SnapshotStore({ ...asOwner, shard }).prepare();

  await inTransaction(asOwner, async (client) => {
    await client.query(LEASE_TABLES);
    await prepareSecrets(client);
    await createNameTables(client);
    for (const [role, name] of Object.entries(DATABASE_ROLES)) {
      await ensureRole(client, name, passwords[role as DatabaseRole]);
    }
    await client.query(GRANTS);
    if (journalIsHere) await client.query(JOURNAL_GRANTS);
    await client.query(HAND_OVER);
  });
}

/** Refuses an owner without the right to create roles, by name and before tables are made, unlike Postgres. */
async function assertMayMakeRoles(
  asOwner: { readonly connectionString: string },
  passwords: Partial<ByRole<string>>,
): Promise<void> {
  await withClient(asOwner, async (client) => {
    const { rows } = await client.query<{ readonly name: string; readonly may: boolean; readonly made: boolean }>(
      `select quote_ident(rolname) as name, rolcreaterole or rolsuper as may,
         (select count(*) = cardinality($1::text[]) from pg_roles where rolname = any($1)) as made
       from pg_roles where rolname = current_user`,
      [Object.values(DATABASE_ROLES)],
    );
    const [owner] = rows;
    if (owner === undefined || owner.may || (owner.made && Object.keys(passwords).length === 0)) return;
    throw new ConfigError(
      `The services' roles cannot be made: ${owner.name}, the user of DATABASE_URL, has no right to. ` +
        `Give it, as a superuser of that Postgres: alter role ${owner.name} createrole`,
    );
  });
}

/** Takes back the owner's objects that a role created, and restores their original triggers. */
async function takeBack(asOwner: { readonly connectionString: string }): Promise<void> {
  await inTransaction(asOwner, async (client) => {
    const { rows } = await client.query<{ readonly taken: boolean; readonly there: boolean }>(OF_ROLES);
    await client.query(TAKE_BACK);
    if (rows[0]?.taken === true && rows[0].there) await restoreJournalGuards(client);
  });
}

/** Runs the work in one transaction. Only one process at a time prepares the roles of a server. */
async function inTransaction(
  asOwner: { readonly connectionString: string },
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  await withClient(asOwner, async (client) => {
    await client.query('begin');
    // Roles belong to the whole server, so two runs must not create them at the same time.
    await client.query(`select pg_advisory_xact_lock(hashtext('paper roles'))`);
    await work(client);
    await client.query('commit');
  });
}

/** Empties the search path, so that functions that another role planted in a schema are not called. */
function withoutSearchPath(connectionString: string): string {
  const url = new URL(connectionString);
  url.searchParams.set('options', '-c search_path=pg_catalog');
  return url.href;
}

/** Random passwords for all roles, which only this process knows. */
export function freshPasswords(): ByRole<string> {
  const password = (): string => randomBytes(24).toString('hex');
  return byRole(password);
}

/** The connection string of each role for the database that `connectionString` names. */
export function connectionStringsOf(connectionString: string, passwords: ByRole<string>): ByRole<string> {
  return byRole((role) => {
    const url = new URL(connectionString);
    url.username = DATABASE_ROLES[role];
    url.password = passwords[role];
    return url.href;
  });
}

async function ensureRole(client: pg.Client, name: string, password: string | undefined): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
  if (rowCount === 0) await client.query(`create role ${name} login`);
  // Statements may be logged, so they contain a SCRAM verifier and never the password.
  if (password !== undefined) await client.query(`alter role ${name} password '${scramVerifier(password)}'`);
}
