export { inCoordination, unlessMissing } from './coordination-client.ts';
export { COORDINATION_SCHEMA } from './coordination-schema.ts';
export { LEASE_TABLES } from '../lease/lease-store.ts';
export { prepareSecrets, readSecret } from './secrets.ts';
