export { MAX_BATCH_BYTES } from './envelope.ts';
export { correlationIdIn, observeFollow } from './correlation.ts';
export { canonicalJson } from './canonical-json.ts';
export {
  decode,
  decodeEvent,
  decodePublic,
  decodePublicEvent,
  encodeDecision,
  readChain,
  storedBytes,
  UnreadableEvent,
  type AcceptedDecision,
  type CommandlessEvent,
  type EncodedDecision,
  type JournalEvent,
  type PublicCommandlessEvent,
  type PublicJournalEvent,
} from './envelope.ts';
export { describedCommands, describedEvents, privateEventFields } from './formats.ts';
export { journalSettings } from './eventstoredb/connection-string.ts';
export type { EventStoreJournalOptions } from './eventstoredb/eventstore-journal.ts';
export { ChainBroken, checkChain, isLinkedTo, withhold, type WithheldEvent } from './hash-chain.ts';
export { nameDigest, publicNameDigest } from './name-digest.ts';
export { JournalContact } from './journal-contact.ts';
export { createMemoryJournal, createMemoryLog, type LogEvents, type MemoryLog } from './memory/memory-journal.ts';
export { createEventStoreJournal, openJournal, prepareEventStore, type JournalLocation } from './open-journal.ts';
export {
  AppendRefused,
  AppendUnknown,
  EMPTY_HEAD,
  JournalDamaged,
  JournalWentBack,
  WrongExpectedHead,
  type FollowOptions,
  type Head,
  type Journal,
  type StoredEvent,
} from './port.ts';
export { isDamagedPage } from './postgres/damage.ts';
export {
  createPostgresJournal,
  type PostgresConnection,
  type PostgresJournalOptions,
} from './postgres/postgres-journal.ts';
export { JournalRefused, restoreJournalGuards, type JournalUse } from './postgres/schema.ts';
export { fitsSchema } from './predicate.ts';
export { validateEvent, validatePublicEvent } from './validate-event.ts';
