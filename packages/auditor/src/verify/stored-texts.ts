import { createHash } from 'node:crypto';
import { decode, validateEvent, type StoredEvent } from '@paper/journal';
import type { JudgedCommand } from '../judged-commands.ts';
import type { JudgedEvent } from '../judged-events.ts';
import { Fault } from './fault.ts';

/** An event as it is judged: where it stands, and what it and its command say. */
export interface AuditedEvent {
  readonly stored: StoredEvent;
  readonly causationId: string;
  readonly commandId: string;
  readonly correlationId: string;
  /** How many events the decision has, and the whole command; null but on its first event. */
  readonly decisionEvents: number | null;
  readonly command: JudgedCommand | null;
  /** In its current version. */
  readonly event: JudgedEvent;
}

type Json = Readonly<Record<string, unknown>>;

/** Reads a stored event. @throws Fault for what cannot be read. */
export function readEvent(stored: StoredEvent): AuditedEvent {
  try {
    const { causationId, command, commandId, correlationId, decisionEvents, event } = decode(stored);
    // The auditor has its own declarations of both. What is not so shows in the schema, or when it is decided again.
    return { stored, causationId, commandId, correlationId, decisionEvents, command, event };
  } catch (error) {
    throw new Fault('schema', stored.seq, stored, `the event cannot be read: ${text(error)}`, 'an event of FORMAT.md');
  }
}

/**
 * Holds the stored texts against FORMAT.md: canonical JSON, the keys that belong there, the event's schema in its
 * stored version, the same sequence, id and type in the text as beside it.
 *
 * @throws Fault
 */
export function checkTexts(stored: StoredEvent): void {
  const must = (holds: boolean, found: string, expected: string): void => {
    if (!holds) throw new Fault('schema', stored.seq, stored, found, expected);
  };
  const open = parse(stored, stored.publicText, 'public');
  const event = open['event'] as Json;
  const first = open['command'] !== undefined;
  must(
    keys(open) === (first ? FIRST_KEYS : LATER_KEYS),
    `its public text has the keys ${keys(open)}`,
    first ? FIRST_KEYS : LATER_KEYS,
  );
  for (const [name, told] of [
    ['seq', open['seq']],
    ['id', open['id']],
    ['type', event['type']],
  ] as const) {
    const own = stored[name];
    must(told === own, `its public text tells the ${name} ${String(told)}`, `${own}, as stored beside it`);
  }
  const issuesKey = stored.type === 'ApiKeyIssued';
  const secret = stored.privateText === null ? null : parse(stored, stored.privateText, 'private');
  const due = [...(first ? ['command'] : []), ...(issuesKey ? ['event'] : []), 'salt'].join(', ');
  if (first || issuesKey) {
    must(secret !== null && keys(secret) === due, `its private text has ${keys(secret ?? {}) || 'nothing'}`, due);
  } else {
    must(secret === null, 'it has a private text', 'none');
  }
  const keyHash = issuesKey ? { keyHash: (secret?.['event'] as Json | undefined)?.['keyHash'] } : {};
  try {
    validateEvent({ ...event, ...keyHash }, Number(open['version']));
  } catch (error) {
    throw new Fault('schema', stored.seq, stored, text(error), 'what the schema of its version says');
  }
}

/** The salt of a private part, with which its canonical text ends; null where there is none. */
export function saltIn({ privateText }: StoredEvent): string | null {
  return privateText === null ? null : (/"salt":"([^"]*)"\}$/.exec(privateText)?.[1] ?? null);
}

/** The salt that the event with this index has, after FORMAT.md, in a decision whose first event has `salt`. */
export function derivedSalt(salt: string, index: number): string {
  return createHash('sha256').update(`${salt}:${index}`).digest('hex').slice(0, 32);
}

const LATER_KEYS = 'causationId, commandId, correlationId, event, id, seq, version';
const FIRST_KEYS =
  'causationId, command, commandId, commandVersion, correlationId, decisionEvents, event, id, seq, version';

const keys = (object: Json): string => Object.keys(object).join(', ');

const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A text is canonical if it prints to itself and its keys ascend: JSON.stringify prints numbers and strings as JCS. */
function parse(stored: StoredEvent, json: string, part: 'public' | 'private'): Json {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new Fault('schema', stored.seq, stored, `its ${part} text is no JSON: ${text(error)}`, 'a JSON object');
  }
  if (typeof value !== 'object' || value === null || JSON.stringify(value) !== json || !ascends(value)) {
    throw new Fault('schema', stored.seq, stored, `its ${part} text is not canonical`, 'the RFC 8785 text');
  }
  return value as Json;
}

function ascends(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(ascends);
  let before: string | null = null;
  for (const [key, inner] of Object.entries(value)) {
    if ((before !== null && key <= before) || !ascends(inner)) return false;
    before = key;
  }
  return true;
}
