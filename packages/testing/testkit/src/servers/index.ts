export { createCuttableProxy, type CuttableProxy } from './cuttable-proxy.ts';
export { eventStoreAt, startEventStore, testEventStore, type RunningEventStore } from './eventstoredb.ts';
export { OLDEST_POSTGRES } from './postgres.ts';
export { testRedis } from './redis.ts';
export { TestAuthority } from './test-authority.ts';
