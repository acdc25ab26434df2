import { randomBytes } from 'node:crypto';
import { createPostgresJournal, restoreJournalGuards } from '@paper/journal';
import { LEASE_TABLES, prepareNames, prepareSecrets } from '@paper/service-kit';
import pg from 'pg';
import { SnapshotStore } from '@paper/command-side';
import { scramVerifier } from './scram-verifier.ts';

/**
 * Who the processes are to the database, where they are not all its owner. `command` adds to the journal and can change
 * nothing in it; `projector` reads the journal and owns the read models; `reader` (query-api, stream-gateway) changes
 * nothing at all. Only the owner can change the journal's tables.
 */
export const DATABASE_ROLES = {
  command: 'paper_command',
  projector: 'paper_projector',
  reader: 'paper_reader',
} as const;

export type DatabaseRole = keyof typeof DATABASE_ROLES;

/** What is different by role: passwords, or connection strings. */
export type ByRole<T> = Readonly<Record<DatabaseRole, T>>;

const { command: COMMAND, projector: PROJECTOR, reader: READER } = DATABASE_ROLES;
const ALL = Object.values(DATABASE_ROLES).join(', ');

/** Who owns what, as it stands after every statement here; what is not granted is refused by Postgres. */
const GRANTS = `
  -- The owner gives things to them, and says what they leave to each other.
  grant ${COMMAND}, ${PROJECTOR} to current_user;

  -- Each may make what is wholly its own: the read models, the snapshots.
  do $$ begin
    execute format('grant connect on database %I to ${ALL}', current_database());
    execute format('grant create on database %I to ${COMMAND}, ${PROJECTOR}',
      current_database());
    -- Else a schema that one of them makes, named after another, would be looked through first when that one calls a function.
    execute format('alter database %I set search_path = pg_catalog', current_database());
  end $$;

  grant usage on schema coordination to ${ALL};
  grant select on coordination.leases to ${ALL};
  grant insert, update on coordination.leases to ${COMMAND}, ${PROJECTOR};
  -- Each takes the leases of its own part alone.
  alter table coordination.leases enable row level security;
  drop policy if exists all_see_leases on coordination.leases;
  create policy all_see_leases on coordination.leases for select to ${ALL} using (true);
  drop policy if exists command_takes_writers on coordination.leases;
  create policy command_takes_writers on coordination.leases
    to ${COMMAND} using (name like 'writer:%') with check (name like 'writer:%');
  drop policy if exists projector_takes_projectors on coordination.leases;
  create policy projector_takes_projectors on coordination.leases
    to ${PROJECTOR} using (name like 'projector:%') with check (name like 'projector:%');

  -- Who appends announces it. Only a superuser may take this from everybody; SQL's NOTIFY cannot be taken from anybody.
  do $$ begin
    revoke execute on function pg_catalog.pg_notify(text, text) from public;
    grant execute on function pg_catalog.pg_notify(text, text) to ${COMMAND};
    execute format('grant execute on function pg_catalog.pg_notify(text, text) to %I', current_user);
  exception when insufficient_privilege then
    raise notice 'EXECUTE on pg_notify stays with everybody: only a superuser can revoke it';
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

  alter default privileges for role ${PROJECTOR}
    grant usage on schemas to ${COMMAND}, ${READER};
  alter default privileges for role ${PROJECTOR}
    grant select on tables to ${COMMAND}, ${READER};
`;

const JOURNAL_GRANTS = `
  revoke all on schema journal from ${ALL};
  revoke all on all tables in schema journal from ${ALL};
  grant usage on schema journal to ${ALL};
  grant select on journal.head, journal.public_events to ${ALL};
  -- Private parts are not for who reads.
  grant select on journal.events to ${COMMAND}, ${PROJECTOR};
  grant insert on journal.events to ${COMMAND};
  grant insert, update on journal.head to ${COMMAND};
`;

/**
 * What is the owner's and was made by one of the roles, as the journal's schema could be by a projector that was told of
 * no EventStoreDB: the owner takes it back. Gives whether there was any of the journal.
 */
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

/** What was made before there were roles, or by the owner since: it goes to whom it belongs, with the same rights. */
const HAND_OVER = `
  do $$
  declare
    found record;
    part record;
  begin
    for found in
      select nspname as schema,
        case when nspname = 'snapshots' then '${COMMAND}' else '${PROJECTOR}' end as role
      from pg_namespace where nspname in ('snapshots', 'read_models') or nspname ~ '^read_v[0-9]'
    loop
      execute format('alter schema %I owner to %I', found.schema, found.role);
      for part in
        select relname, relkind from pg_class
        where relnamespace = to_regnamespace(quote_ident(found.schema)) and relkind in ('r', 'S')
          and relowner <> to_regrole(found.role)
      loop
        execute format('alter %s %I.%I owner to %I', case part.relkind when 'S' then 'sequence' else 'table' end,
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
  /** Of the database's owner, who may make roles. */
  readonly connectionString: string;
  /** The journal that is to have its head already. */
  readonly shard: string;
  /** False where the journal is in EventStoreDB. */
  readonly journalIsHere: boolean;
}

/**
 * Makes the database's tables and roles where they are missing, gives the roles these passwords and exactly what they
 * need. Any number of times, also beside running services, and on what was made without roles.
 *
 * @param passwords a role without one keeps what it has; a new one cannot log in then.
 * @throws where the database cannot be reached, or refuses the owner.
 */
export async function prepareRoles(
  { connectionString, journalIsHere, shard }: RolesOptions,
  passwords: Partial<ByRole<string>>,
): Promise<void> {
  const asOwner = { connectionString: withoutSearchPath(connectionString) };
  await takeBack(asOwner);
  if (journalIsHere) await (await createPostgresJournal({ ...asOwner, shard })).close();
  await new SnapshotStore({ ...asOwner, shard }).prepare();

  await withClient(asOwner, async (client) => {
    await client.query(LEASE_TABLES);
    await prepareSecrets(client);
    await prepareNames(client);
    for (const [role, name] of Object.entries(DATABASE_ROLES)) {
      await ensureRole(client, name, passwords[role as DatabaseRole]);
    }
    await client.query(GRANTS);
    if (journalIsHere) await client.query(JOURNAL_GRANTS);
    await client.query(HAND_OVER);
  });
}

/** Whatever a role has made that is the owner's, with its guards as they were made at first. */
async function takeBack(asOwner: { readonly connectionString: string }): Promise<void> {
  await withClient(asOwner, async (client) => {
    const { rows } = await client.query<{ readonly taken: boolean; readonly there: boolean }>(OF_ROLES);
    await client.query(TAKE_BACK);
    if (rows[0]?.taken === true && rows[0].there) await restoreJournalGuards(client);
  });
}

/** One transaction, alone among all who prepare roles of this server. */
async function withClient(
  asOwner: { readonly connectionString: string },
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ ...asOwner, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    // Roles are of the whole server: two who prepare at once must not both create.
    await client.query(`select pg_advisory_xact_lock(hashtext('paper roles'))`);
    await work(client);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** Before the database says so itself, functions of nobody else are called here either. */
function withoutSearchPath(connectionString: string): string {
  const url = new URL(connectionString);
  url.searchParams.set('options', '-c search_path=pg_catalog');
  return url.href;
}

/** New passwords for all, which only this process knows. */
export function freshPasswords(): ByRole<string> {
  const password = (): string => randomBytes(24).toString('hex');
  return { command: password(), projector: password(), reader: password() };
}

/** How each role reaches the database that `connectionString` names. */
export function connectionStringsOf(connectionString: string, passwords: ByRole<string>): ByRole<string> {
  const of = (role: DatabaseRole): string => {
    const url = new URL(connectionString);
    url.username = DATABASE_ROLES[role];
    url.password = passwords[role];
    return url.href;
  };
  return { command: of('command'), projector: of('projector'), reader: of('reader') };
}

async function ensureRole(client: pg.Client, name: string, password: string | undefined): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
  if (rowCount === 0) await client.query(`create role ${name} login`);
  // Statements may be logged: the password itself is in none.
  if (password !== undefined) await client.query(`alter role ${name} password '${scramVerifier(password)}'`);
}
