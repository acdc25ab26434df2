import { validatePublicEvent } from '@paper/journal';
import { createHash } from 'node:crypto';
import { commandFormat } from '../../events/formats/command-formats.ts';
import { privateEventFormat } from '../../events/formats/private-event-formats.ts';
import { firstIssue } from '../../events/formats/values.ts';
import type { AuditableEvent } from '../../journal/audited-event.ts';
import { Fault } from '../../journal/fault.ts';

type Json = Readonly<Record<string, unknown>>;

/** The fields of an event's public text about its decision. */
export interface StoredDecision {
  readonly causationId: string;
  readonly commandId: string;
  readonly correlationId: string;
  readonly decisionEvents?: number;
  /** `event` and `command` are objects in a text that passed `checkTexts`. */
  readonly event: unknown;
  readonly command?: unknown;
}

/** Parses the public text without further checks. @throws Fault when it is no JSON object, or lacks its ids. */
export const readStoredDecision = (stored: AuditableEvent): StoredDecision =>
  storedDecisionIn(stored, parse(stored, stored.publicText, 'public'));

/**
 * Checks the stored texts against FORMAT.md: canonical JSON, the keys, command and event by the schemas of their
 * versions, and the row's own sequence, id and type. @throws Fault
 */
export function checkTexts(stored: AuditableEvent): StoredDecision {
  const open = parseCanonical(stored, stored.publicText, 'public');
  const first = open['command'] !== undefined;
  const due = first ? FIRST_KEYS : LATER_KEYS;
  if (!hasKeys(open, due)) throw schemaFault(stored, `its public text has the keys ${keys(open)}`, due.join(', '));
  const parsed = storedDecisionIn(stored, open);
  const event = objectIn(stored, open, 'event', 'public');
  checkSame(stored, 'seq', open['seq']);
  checkSame(stored, 'id', open['id']);
  checkSame(stored, 'type', event['type']);
  const secret = openPrivateText(stored, first, open['version']);
  if (first) checkCommand(stored, open, secret);
  checkEvent(stored, event, open['version'], secret);
  return parsed;
}

/** The hash of the key that the event issues; null if it issues none, or the hash was withheld. */
export function keyHashIn({ privateText, type }: AuditableEvent): string | null {
  if (privateText === null || type !== 'ApiKeyIssued') return null;
  return /"keyHash":"([0-9a-f]{64})"/.exec(privateText)?.[1] ?? null;
}

/** The salt, which is the last field of a private text; null without a private text. */
export const saltIn = ({ privateText }: AuditableEvent): string | null =>
  privateText === null ? null : (/"salt":"([^"]*)"\}$/.exec(privateText)?.[1] ?? null);

/** The salt of the event with this index, derived as FORMAT.md says from that of the decision's first event. */
export const derivedSalt = (salt: string, index: number): string =>
  createHash('sha256').update(`${salt}:${index}`).digest('hex').slice(0, 32);

/** The digest that stands for a private text if the event has none. */
const NONE = '0'.repeat(64);

/** In alphabetical order, as in the text. */
const LATER_KEYS = ['causationId', 'commandId', 'correlationId', 'event', 'id', 'seq', 'version'];
const FIRST_KEYS = [...LATER_KEYS, 'command', 'commandVersion', 'decisionEvents'].sort();
const OF_COMMAND = ['command', 'salt'];
const OF_EVENT = ['event', 'salt'];
const OF_BOTH = ['command', 'event', 'salt'];
const FITTING = 'what the schema of its version says';
const keys = (object: Json): string => Object.keys(object).join(', ');

function hasKeys(object: Json, due: readonly string[]): boolean {
  let count = 0;
  for (const key in object) {
    if (key !== due[count]) return false;
    count += 1;
  }
  return count === due.length;
}

const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const schemaFault = (stored: AuditableEvent, found: string, expected: string): Fault =>
  new Fault('schema', stored.seq, stored, found, expected);

function checkSame(stored: AuditableEvent, name: 'id' | 'seq' | 'type', parsed: unknown): void {
  const own = stored[name];
  if (parsed === own) return;
  throw schemaFault(stored, `its public text has the ${name} ${String(parsed)}`, `${own}, as stored beside it`);
}

/** Checks that the private text has exactly the required parts; null if it was withheld, or there is none. */
function openPrivateText(stored: AuditableEvent, first: boolean, version: unknown): Json | null {
  const format = privateEventFormat(stored.type, version);
  if (format === undefined) {
    throw schemaFault(stored, `its event is of version ${String(version)}`, 'a version that this auditor knows');
  }
  const isDue = first || format !== null;
  if (stored.privateDigest !== undefined) {
    const isThere = stored.privateDigest !== NONE;
    if (isThere === isDue) return null;
    const found = `the digest of its private text says that it has ${isThere ? 'one' : 'none'}`;
    throw schemaFault(stored, found, isThere ? 'none' : 'a private text');
  }
  if (!isDue) {
    if (stored.privateText === null) return null;
    throw schemaFault(stored, 'it has a private text', 'none');
  }
  const due = first ? (format === null ? OF_COMMAND : OF_BOTH) : OF_EVENT;
  const secret = stored.privateText === null ? {} : parseCanonical(stored, stored.privateText, 'private');
  if (hasKeys(secret, due)) return secret;
  throw schemaFault(stored, `its private text has ${keys(secret) || 'nothing'}`, due.join(', '));
}

/** Checks the public and the private part each by its own schema, so that no field is in the wrong part. */
function checkCommand(stored: AuditableEvent, open: Json, secret: Json | null): void {
  const visible = objectIn(stored, open, 'command', 'public');
  const { commandVersion: version } = open;
  const name = `${String(visible['type'])} of version ${String(version)}`;
  const format = commandFormat(visible['type'], version);
  if (format === undefined) throw schemaFault(stored, `its command is ${name}`, 'a command that this auditor knows');
  const wrong = firstIssue(format.visible, visible);
  if (wrong !== null) throw schemaFault(stored, `its command ${name} does not fit: ${wrong}`, FITTING);
  if (secret === null) return;
  const hidden = firstIssue(format.hidden, objectIn(stored, secret, 'command', 'private'));
  if (hidden === null) return;
  throw schemaFault(stored, `the private part of its command ${name} does not fit: ${hidden}`, FITTING);
}

function checkEvent(stored: AuditableEvent, event: Json, version: unknown, secret: Json | null): void {
  const format = privateEventFormat(stored.type, version) ?? null;
  if (format !== null && secret !== null) {
    const wrong = firstIssue(format, objectIn(stored, secret, 'event', 'private'));
    if (wrong !== null) throw schemaFault(stored, `the private part of its event does not fit: ${wrong}`, FITTING);
  }
  try {
    validatePublicEvent(event, Number(version));
  } catch (error) {
    throw schemaFault(stored, text(error), FITTING);
  }
}

function storedDecisionIn(stored: AuditableEvent, open: Json): StoredDecision {
  for (const name of ['causationId', 'commandId', 'correlationId']) {
    const id = open[name];
    if (typeof id === 'string') continue;
    const there = id === undefined ? `no ${name}` : `${name} ${JSON.stringify(id)}`;
    throw schemaFault(stored, `its public text has ${there}`, 'a string');
  }
  return open as unknown as StoredDecision;
}

function objectIn(stored: AuditableEvent, json: Json, name: 'command' | 'event', part: 'public' | 'private'): Json {
  const there = json[name];
  if (typeof there === 'object' && there !== null) return there as Json;
  throw schemaFault(stored, `its ${part} text has the ${name} ${JSON.stringify(there)}`, 'an object');
}

function parse(stored: AuditableEvent, json: string, part: 'public' | 'private'): Json {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw schemaFault(stored, `its ${part} text is no JSON: ${text(error)}`, 'a JSON object');
  }
  if (typeof value === 'object' && value !== null) return value as Json;
  throw schemaFault(stored, `its ${part} text is no JSON object`, 'a JSON object');
}

/** Parses a text that must print to itself with ascending keys: JSON.stringify prints values as JCS does. */
function parseCanonical(stored: AuditableEvent, json: string, part: 'public' | 'private'): Json {
  const value = parse(stored, json, part);
  if (JSON.stringify(value) === json && ascends(value)) return value;
  throw schemaFault(stored, `its ${part} text is not canonical`, 'the RFC 8785 text');
}

function ascends(value: object): boolean {
  if (Array.isArray(value)) {
    return value.every((item: unknown) => typeof item !== 'object' || item === null || ascends(item));
  }
  let before: string | null = null;
  for (const key in value) {
    if (before !== null && key <= before) return false;
    before = key;
    const inner: unknown = (value as Json)[key];
    if (typeof inner === 'object' && inner !== null && !ascends(inner)) return false;
  }
  return true;
}
