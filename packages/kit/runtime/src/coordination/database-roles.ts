/**
 * The Postgres roles of the services. `command` appends to the journal and cannot change it. `projector` owns the read
 * models. `reader` only reads, except that it records uses of keys. `portal` owns the schema of people, and sees
 * nothing else. `backtests` makes databases, and sees nothing of this one. Only the owner can alter the journal's
 * tables.
 */
export const DATABASE_ROLES = {
  command: 'paper_command',
  projector: 'paper_projector',
  reader: 'paper_reader',
  portal: 'paper_portal',
  backtests: 'paper_backtests',
} as const;

export type DatabaseRole = keyof typeof DATABASE_ROLES;

export type ByRole<T> = Readonly<Record<DatabaseRole, T>>;

export function byRole<T>(of: (role: DatabaseRole) => T): ByRole<T> {
  const roles = Object.keys(DATABASE_ROLES) as DatabaseRole[];
  return Object.fromEntries(roles.map((role) => [role, of(role)])) as ByRole<T>;
}

type DatabaseSetting<Role extends DatabaseRole> = `${Uppercase<Role>}_DATABASE_URL`;

export function databaseSettingOf<Role extends DatabaseRole>(role: Role): DatabaseSetting<Role> {
  return `${role.toUpperCase() as Uppercase<Role>}_DATABASE_URL`;
}

export function databaseSettings<T>(of: (role: DatabaseRole) => T): {
  readonly [Role in DatabaseRole as DatabaseSetting<Role>]: T;
} {
  const values = Object.values(byRole((role) => [databaseSettingOf(role), of(role)] as const));
  return Object.fromEntries(values) as { [Role in DatabaseRole as DatabaseSetting<Role>]: T };
}
