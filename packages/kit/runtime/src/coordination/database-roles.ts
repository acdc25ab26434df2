/**
 * The Postgres roles of the services. `command` appends to the journal and cannot change it. `projector` reads the
 * journal and owns the read models. `reader` (query-api, stream-gateway, the key look-ups of backtests) only reads,
 * except that it records when keys were used. `portal` owns the schema of the people who sign in, and sees nothing
 * else. `backtests` makes a database for each backtest, and sees nothing of this one. Only the database's owner can
 * alter the journal's tables.
 */
export const DATABASE_ROLES = {
  command: 'paper_command',
  projector: 'paper_projector',
  reader: 'paper_reader',
  portal: 'paper_portal',
  backtests: 'paper_backtests',
} as const;

export type DatabaseRole = keyof typeof DATABASE_ROLES;

/** One value for each role: a password or a connection string. */
export type ByRole<T> = Readonly<Record<DatabaseRole, T>>;

/** Builds a value for each role. */
export function byRole<T>(of: (role: DatabaseRole) => T): ByRole<T> {
  const roles = Object.keys(DATABASE_ROLES) as DatabaseRole[];
  return Object.fromEntries(roles.map((role) => [role, of(role)])) as ByRole<T>;
}

type DatabaseSetting<Role extends DatabaseRole> = `${Uppercase<Role>}_DATABASE_URL`;

/** The setting with the connection string of the role's services. */
export function databaseSettingOf<Role extends DatabaseRole>(role: Role): DatabaseSetting<Role> {
  return `${role.toUpperCase() as Uppercase<Role>}_DATABASE_URL`;
}

/** Builds a value for the setting of each role, such as its schema. */
export function databaseSettings<T>(of: (role: DatabaseRole) => T): {
  readonly [Role in DatabaseRole as DatabaseSetting<Role>]: T;
} {
  const values = Object.values(byRole((role) => [databaseSettingOf(role), of(role)] as const));
  return Object.fromEntries(values) as { [Role in DatabaseRole as DatabaseSetting<Role>]: T };
}
