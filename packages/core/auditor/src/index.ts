export { createTwin, type Twin } from './twin/twin.ts';
export { Invariants } from './rules/invariants.ts';
export { type Rule, Violation } from './ledger/violation.ts';
export type { Check } from './journal/fault.ts';
export { UnknownRules } from './verify/state/decided-again.ts';
export {
  unsignedHead,
  isSigned,
  parseHead,
  signHead,
  type SignedHead,
  type UnsignedHead,
} from './verify/signed-head.ts';
export { TABLE_KEYS as AUDITED_TABLES } from './verify/rows/row.ts';
export { verifyJournal, type Verdict as AuditVerdict, type VerifyOptions } from './verify/verify.ts';
export { NoSuchPoint, type Point } from './history/fold-until.ts';
export { accountAt, bookAt, marketTimeline, NotFoundAtSequence, type TimelineStep } from './history/views.ts';
export type { ReadOnlyJournal } from './journal/public-file.ts';
export { EmptyJournal, kindOfLocation, NO_EVENTS, NoJournal, openReadOnly } from './journal/read-only-journal.ts';
export { Judge } from './verify/judge.ts';
