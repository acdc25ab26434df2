export { inCoordination, unlessMissing } from './coordination-client.ts';
export { COORDINATION_SCHEMA, LEASE_TABLES } from './coordination-schema.ts';
export { prepareSecrets, readSecret } from './secrets.ts';
