import type { ColumnType, Generated, Selectable } from 'kysely';
import type pg from 'pg';

/** The role that may read the view `portal.mail`, for the answer of `GET /api/health`. */
const READER_ROLE = 'paper_reader';

/**
 * People and their credentials, none of which is ever in the journal. Tokens are stored as SHA-256; API keys and
 * operators' tokens encrypted (vault.ts).
 */
const PORTAL_SCHEMA = `
  select pg_advisory_xact_lock(hashtext('paper portal'));
  -- After \`npm run roles\`, the owner may create no schema, so even "create schema if not exists" would fail.
  do $$ begin
    if to_regnamespace('portal') is null then create schema portal; end if;
  end $$;

  create table if not exists portal.people (
    id text primary key,
    -- Case-folded. Private: only the person sees it.
    sign_in_name text not null unique,
    display_name text not null,
    -- argon2id; null for a person without a password.
    password_hash text,
    -- Case-folded; only addresses that the person confirmed.
    email text unique,
    -- Null until the account is open.
    account_id text unique,
    -- unconfirmed: waits for the e-mail; pending: waits for the account; leaving: is being deleted.
    state text not null check (state in ('unconfirmed', 'pending', 'active', 'leaving')),
    created_at timestamptz not null default now()
  );

  create table if not exists portal.sessions (
    -- Names the session in lists; it is not the token.
    id text primary key,
    token_hash bytea not null unique,
    person_id text not null references portal.people on delete cascade,
    device text not null,
    created_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now(),
    expires_at timestamptz not null,
    -- The person has proved themselves until then.
    proven_until timestamptz
  );
  create index if not exists sessions_of_person on portal.sessions (person_id);
  create index if not exists sessions_by_expiry on portal.sessions (expires_at);

  create table if not exists portal.recovery_codes (
    person_id text not null references portal.people on delete cascade,
    code_hash bytea not null,
    used_at timestamptz,
    -- When the person confirmed that they stored the code. Codes older than this column count as stored.
    stored_at timestamptz default now(),
    primary key (person_id, code_hash)
  );
  alter table portal.recovery_codes add column if not exists stored_at timestamptz default now();

  create table if not exists portal.passkeys (
    credential_id text primary key,
    -- Names the passkey in lists.
    id text not null unique,
    person_id text not null references portal.people on delete cascade,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null default '{}',
    name text not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz
  );
  create index if not exists passkeys_of_person on portal.passkeys (person_id);

  -- Challenges of passkeys.
  create table if not exists portal.challenges (
    challenge text primary key,
    purpose text not null check (purpose in ('sign-in', 'prove', 'add')),
    -- The session that asked; null for a sign-in.
    session_id text references portal.sessions on delete cascade,
    -- SHA-256 of the cookie of the browser that asked for a sign-in.
    browser_hash bytea,
    expires_at timestamptz not null
  );
  create index if not exists challenges_by_expiry on portal.challenges (expires_at);

  create table if not exists portal.company_links (
    issuer text not null,
    subject text not null,
    person_id text not null references portal.people on delete cascade,
    created_at timestamptz not null default now(),
    primary key (issuer, subject)
  );
  create index if not exists company_links_of_person on portal.company_links (person_id);

  -- Sign-ins by a company whose browser was redirected to the issuer and is not back yet.
  create table if not exists portal.company_visits (
    state_hash bytea primary key,
    -- SHA-256 of the cookie of the redirected browser.
    browser_hash bytea not null,
    nonce text not null,
    code_verifier text not null,
    -- The session to link to; null for a sign-in.
    session_id text references portal.sessions on delete cascade,
    expires_at timestamptz not null
  );
  -- The page on which the person began the sign-in; null for none.
  alter table portal.company_visits add column if not exists came_from text;
  create index if not exists company_visits_by_expiry on portal.company_visits (expires_at);

  -- Identities that an issuer confirmed but no person has yet. A sign-up in the same browser can link them.
  create table if not exists portal.company_arrivals (
    browser_hash bytea primary key,
    issuer text not null,
    subject text not null,
    expires_at timestamptz not null
  );
  create index if not exists company_arrivals_by_expiry on portal.company_arrivals (expires_at);

  create table if not exists portal.email_tokens (
    token_hash bytea primary key,
    person_id text not null references portal.people on delete cascade,
    purpose text not null check (purpose in ('confirm-sign-up', 'confirm-email', 'recover')),
    email text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  create index if not exists email_tokens_of_person on portal.email_tokens (person_id);
  create index if not exists email_tokens_by_expiry on portal.email_tokens (expires_at);

  create table if not exists portal.invites (
    id text primary key,
    token_hash bytea not null unique,
    -- The operator who made it.
    made_by text not null,
    uses_max integer not null,
    uses integer not null default 0,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    revoked_at timestamptz
  );

  -- Counters of throttles: the events of a minute.
  create table if not exists portal.throttle (
    kind text not null,
    -- HMAC of a name, an address, or both.
    subject bytea not null,
    minute bigint not null,
    events integer not null,
    primary key (kind, subject, minute)
  );
  create index if not exists throttle_by_minute on portal.throttle (minute);

  create table if not exists portal.sign_up_jobs (
    person_id text primary key references portal.people on delete cascade,
    -- SHA-256 of the idempotencyKey of the request.
    request_hash bytea not null unique,
    -- The Idempotency-Key of the call that opens the account.
    call_key text not null,
    invite_id text references portal.invites,
    -- waiting: for the e-mail; opening: the account; issuing: its keys; done.
    step text not null check (step in ('waiting', 'opening', 'issuing', 'done')),
    -- The account was first asked for at this time; null before.
    opening_at timestamptz,
    -- The id that the account is opened with; null for a sign-up of a version before this column.
    account_id text,
    -- Former use: the account's first key.
    first_key_id text,
    -- The path of the page that the person came from, until the e-mail is confirmed.
    came_from text,
    -- Former use: how often keys were requested.
    attempt integer not null default 0,
    created_at timestamptz not null default now(),
    finished_at timestamptz
  );
  alter table portal.sign_up_jobs add column if not exists account_id text;
  alter table portal.sign_up_jobs add column if not exists came_from text;
  create index if not exists sign_up_jobs_open on portal.sign_up_jobs (created_at) where step <> 'done';

  -- A job remains after its person is deleted.
  create table if not exists portal.deletion_jobs (
    id text primary key,
    person_id text not null unique,
    account_id text,
    step text not null check (step in ('closing', 'forgetting', 'erasing', 'done')),
    created_at timestamptz not null default now(),
    finished_at timestamptz
  );

  create table if not exists portal.account_keys (
    key_id text primary key,
    person_id text not null references portal.people on delete cascade,
    -- The person's own account, or a sub-account of it.
    account_id text not null,
    -- everyday: view and trade; master: view, trade and master; view: of a sub-account.
    purpose text not null check (purpose in ('everyday', 'master', 'view')),
    sealed bytea not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    unique (account_id, purpose)
  );
  create index if not exists account_keys_of_person on portal.account_keys (person_id);

  create table if not exists portal.operator_sessions (
    id text primary key,
    token_hash bytea not null unique,
    -- The operator's token.
    sealed bytea not null,
    created_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now()
  );

  -- One row: whether the portal can send e-mail.
  create table if not exists portal.mail_settings (
    only_row boolean primary key default true check (only_row),
    configured boolean not null
  );
  create or replace view portal.mail as select configured from portal.mail_settings;
  do $$ begin
    if to_regrole('${READER_ROLE}') is not null then
      grant usage on schema portal to ${READER_ROLE};
      grant select on portal.mail to ${READER_ROLE};
    end if;
  end $$;
`;

/** Creates the schema `portal`, unless it exists, in one transaction. The connection must have the owner's role. */
export async function preparePortal(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query(PORTAL_SCHEMA);
}

/** A time that the database fills in. */
type Made = ColumnType<Date, Date | undefined, Date>;

/** The tables of the schema `portal`, for Kysely. */
export interface PortalTables {
  readonly people: {
    readonly id: string;
    readonly sign_in_name: string;
    readonly display_name: string;
    readonly password_hash: string | null;
    readonly email: string | null;
    readonly account_id: string | null;
    readonly state: 'unconfirmed' | 'pending' | 'active' | 'leaving';
    readonly created_at: Made;
  };
  readonly sessions: {
    readonly id: string;
    readonly token_hash: Buffer;
    readonly person_id: string;
    readonly device: string;
    readonly created_at: Made;
    readonly last_seen_at: Made;
    readonly expires_at: Date;
    readonly proven_until: Date | null;
  };
  readonly recovery_codes: {
    readonly person_id: string;
    readonly code_hash: Buffer;
    readonly used_at: Date | null;
    readonly stored_at: Date | null;
  };
  readonly passkeys: {
    readonly credential_id: string;
    readonly id: string;
    readonly person_id: string;
    readonly public_key: Buffer;
    /** Postgres returns a bigint as text. */
    readonly counter: ColumnType<string, number, number>;
    readonly transports: Generated<string[]>;
    readonly name: string;
    readonly created_at: Made;
    readonly last_used_at: Date | null;
  };
  readonly challenges: {
    readonly challenge: string;
    readonly purpose: 'sign-in' | 'prove' | 'add';
    readonly session_id: string | null;
    readonly browser_hash: Buffer | null;
    readonly expires_at: Date;
  };
  readonly company_links: {
    readonly issuer: string;
    readonly subject: string;
    readonly person_id: string;
    readonly created_at: Made;
  };
  readonly company_visits: {
    readonly state_hash: Buffer;
    readonly browser_hash: Buffer;
    readonly nonce: string;
    readonly code_verifier: string;
    readonly session_id: string | null;
    readonly came_from: string | null;
    readonly expires_at: Date;
  };
  readonly company_arrivals: {
    readonly browser_hash: Buffer;
    readonly issuer: string;
    readonly subject: string;
    readonly expires_at: Date;
  };
  readonly email_tokens: {
    readonly token_hash: Buffer;
    readonly person_id: string;
    readonly purpose: 'confirm-sign-up' | 'confirm-email' | 'recover';
    readonly email: string;
    readonly created_at: Made;
    readonly expires_at: Date;
  };
  readonly invites: {
    readonly id: string;
    readonly token_hash: Buffer;
    readonly made_by: string;
    readonly uses_max: number;
    readonly uses: Generated<number>;
    readonly created_at: Made;
    readonly expires_at: Date;
    readonly revoked_at: Date | null;
  };
  readonly throttle: {
    readonly kind: string;
    readonly subject: Buffer;
    readonly minute: string;
    readonly events: number;
  };
  readonly sign_up_jobs: {
    readonly person_id: string;
    readonly request_hash: Buffer;
    readonly call_key: string;
    readonly invite_id: string | null;
    readonly step: 'waiting' | 'opening' | 'issuing' | 'done';
    readonly opening_at: Date | null;
    readonly account_id: string | null;
    readonly came_from: string | null;
    readonly created_at: Made;
    readonly finished_at: Date | null;
  };
  readonly deletion_jobs: {
    readonly id: string;
    readonly person_id: string;
    readonly account_id: string | null;
    readonly step: 'closing' | 'forgetting' | 'erasing' | 'done';
    readonly created_at: Made;
    readonly finished_at: Date | null;
  };
  readonly account_keys: {
    readonly key_id: string;
    readonly person_id: string;
    readonly account_id: string;
    readonly purpose: 'everyday' | 'master' | 'view';
    readonly sealed: Buffer;
    readonly created_at: Made;
    readonly last_used_at: Made;
  };
  readonly operator_sessions: {
    readonly id: string;
    readonly token_hash: Buffer;
    readonly sealed: Buffer;
    readonly created_at: Made;
    readonly last_seen_at: Made;
  };
  readonly mail_settings: {
    readonly only_row: Generated<boolean>;
    readonly configured: boolean;
  };
}

export type Person = Selectable<PortalTables['people']>;
