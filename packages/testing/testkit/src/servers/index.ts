export { placeCluster } from './cluster-template.ts';
export { createCuttableProxy, type CuttableProxy } from './cuttable-proxy.ts';
export { eventStoreAt, startEventStore, testEventStore, type RunningEventStore } from './eventstoredb.ts';
export { exhaustLog } from './exhaust-log.ts';
export { MountedDisk } from './mounted-disk.ts';
export { OLDEST_POSTGRES } from './postgres.ts';
export { testRedis } from './redis.ts';
export { SmallDisk } from './small-disk.ts';
export { TestAuthority } from './test-authority.ts';
