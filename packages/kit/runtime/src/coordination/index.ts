export { inCoordination, unlessMissing } from './coordination-client.ts';
export { COORDINATION_SCHEMA, LEASE_TABLES } from './coordination-schema.ts';
export {
  byRole,
  DATABASE_ROLES,
  databaseSettingOf,
  databaseSettings,
  type ByRole,
  type DatabaseRole,
} from './database-roles.ts';
export { prepareSecrets, readSecret } from './secrets.ts';
