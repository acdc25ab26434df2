import type { Command, EventType } from '@paper/exchange';

/**
 * Which fields of events and commands are private, by type and version: the one table of it. The envelope splits by it,
 * and the tables of FORMAT.md and SECURITY.md are made from it. What is released here never changes.
 *
 * A list a version, oldest first; a type that is not named has no private field in any version.
 */
export const PRIVATE_EVENT_FIELDS: { readonly [T in EventType]?: readonly (readonly string[])[] } = {
  ApiKeyIssued: [['keyHash'], ['keyHash', 'last4', 'name', 'permissions']],
  SubAccountOpened: [[], ['permissions', 'primaryAccountId']],
};

/** The sender of a command, and fields that would reveal it, are private in all commands and versions. */
export const PRIVATE_OF_EVERY_COMMAND = ['by', 'idempotency'] as const;

/** Private besides `PRIVATE_OF_EVERY_COMMAND`. */
export const PRIVATE_COMMAND_FIELDS: { readonly [T in Command['type']]?: readonly (readonly string[])[] } = {
  IssueApiKey: [['keyHash'], ['keyHash', 'last4', 'name', 'permissions']],
  OpenAccount: [['keyHash'], ['keyHash', 'last4', 'permissions']],
  OpenSubAccount: [['keyHash'], ['keyHash', 'last4', 'permissions']],
};

const NONE: readonly string[] = [];

// Hot paths ask at every event, and most types are in neither.
const ofEvents = new Map(Object.entries(PRIVATE_EVENT_FIELDS));
const ofCommands = new Map(
  Object.entries(PRIVATE_COMMAND_FIELDS).map(([type, versions]) => [
    type,
    versions.map((fields) => [...PRIVATE_OF_EVERY_COMMAND, ...fields].sort()),
  ]),
);

/**
 * The private fields of an event as it is stored in this version, in alphabetical order; undefined for a version that
 * is not known of a type that has some.
 */
export function privateEventFields(type: string, version: number): readonly string[] | undefined {
  const versions = ofEvents.get(type);
  return versions === undefined ? NONE : versions[version - 1];
}

/** The same of a command, whose actor and Idempotency-Key are always among them. */
export function privateCommandFields(type: string, version: number): readonly string[] | undefined {
  const versions = ofCommands.get(type);
  return versions === undefined ? PRIVATE_OF_EVERY_COMMAND : versions[version - 1];
}
