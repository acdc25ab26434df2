export { createCommandSide, type CommandSide, type CommandSideOptions } from './command-side.ts';
export {
  connectionStringsOf,
  DATABASE_ROLES,
  freshPasswords,
  prepareRoles,
  type ByRole,
} from './database-roles/roles.ts';
export { createMemoryNames } from './names/memory-names.ts';
export type { NameStore } from './names/name-store.ts';
export { openNames } from './names/postgres-names.ts';
export { readModelOf } from './read-model.ts';
export type { EndedOrder, KeyOwner, ReadModel } from './routes/command-gateway.ts';
export { createSnapshots, type Snapshots, type SnapshotsOptions } from './snapshots/snapshots.ts';
export { SnapshotStore } from './snapshots/store.ts';
export { takeSnapshot } from './snapshots/take.ts';
export { systemClock, type Clock } from './writer/clock.ts';
export { JournalUnreadable } from './writer/fold.ts';
