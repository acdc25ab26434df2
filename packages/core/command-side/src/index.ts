export { newestBackupMs, observeBackups } from './backup-age.ts';
export { CommandProcessor, type CommandProcessorOptions } from './command-processor.ts';
export type { AcceptedClock } from './leadership/leader-health.ts';
export { STEPS_DOWN } from './leadership/leadership.ts';
export { CANNOT_FOLLOW_JOURNAL } from './leadership/standby.ts';
export { isNameGiven } from './names/sweep.ts';
export { DisplayNames, type DisplayNamesOptions, type StoredName } from './names/display-names.ts';
export { ForgottenNames } from './names/forgotten-names.ts';
export { UnsettledNames } from './names/unsettled-names.ts';
export { newId, newKey, newNameSalt, useRandomness, type Ids, type Randomness, type RawKey } from './random.ts';
export type { DayLimit } from './usage/day-limit.ts';
export { dayOf, FleetUsage, startOfDay, USAGE_DAYS, type FleetDay } from './usage/fleet-usage.ts';
export { loadFromSnapshot, type SnapshotLoadObserver } from './snapshots/load-snapshot.ts';
export { PiecesRestoration, snapshotPieces, stateHash, type SnapshotContent } from './snapshots/pieces.ts';
export { createSnapshots, type Snapshots, type SnapshotsOptions } from './snapshots/snapshots.ts';
export { SnapshotStore, type StoredSnapshot } from './snapshots/store.ts';
export { takeSnapshot } from './snapshots/take.ts';
export {
  accountLane,
  operatorLane,
  SYSTEM_LANE,
  type CommandLane,
  type CommandResult,
} from './writer/pending-command.ts';
export { APPEND_FAILED } from './writer/append.ts';
export { runSubject } from './writer/run-subject.ts';
export type { ItemResult, Sequence } from './writer/pending-sequence.ts';
export { isUnreadable, JournalUnreadable, type FoldedState } from './writer/fold.ts';
export { assertReadsNewest, CANNOT_READ_JOURNAL, fromFirstEvent, loadToEnd, type StartPoint } from './writer/load.ts';
export type { WriterObserver } from './writer/observer.ts';
export type { ReferenceClock } from './writer/trusted-clock.ts';
export { notServingCommands, Writer } from './writer/writer.ts';
