export { createCuttableProxy, type CuttableProxy } from './cuttable-proxy.ts';
export { eventStoreAt, startEventStore, testEventStore, type RunningEventStore } from './eventstoredb.ts';
export { testRedis } from './redis.ts';
export { TestAuthority } from './test-authority.ts';
