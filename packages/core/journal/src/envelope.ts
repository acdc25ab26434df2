import { eventId } from '@paper/exchange';
import type { Command } from '@paper/exchange/commands';
import type { ExchangeEvent, PublicEvent } from '@paper/exchange/events';
import { sortKeys } from '@paper/exchange/fields';
import { canonicalJson, textOfOnly, mergeFields } from './canonical-json.ts';
import {
  commandSplit,
  eventSplit,
  formerNameIn,
  privateCommandFields,
  privateEventFields,
  upcastCommand,
  upcastEvent,
} from './formats.ts';
import type { Stored } from './formats.ts';
import { checkLink, checkNamed, digest, linkHash, privateDigest, saltOf } from './hash-chain.ts';
import { AppendRefused } from './port.ts';
import type { Head, StoredEvent } from './port.ts';

/** A decision to be encoded. `salt`: 32 random hex digits, so that the digest of a private part reveals nothing. */
export interface AcceptedDecision {
  readonly command: Command;
  readonly events: readonly ExchangeEvent[];
  /** The head before the decision: the end of the journal, or of the decisions staged before this one. */
  readonly head: Head;
  readonly salt: string;
}

/** A stored event that this process has encoded, with its decoded form: followers here need not parse it. */
class EncodedEvent implements StoredEvent {
  readonly hash: string;
  readonly id: string;
  readonly privateText: string | null;
  readonly publicText: string;
  readonly seq: number;
  readonly type: string;
  readonly #bytes: number;
  readonly #decisionEvents: number | null;
  readonly #event: ExchangeEvent;
  readonly #keyId: string | undefined;
  #publicEvent: PublicEvent | null = null;

  /** `first`: the fields that only the first event of a decision has; null for the other events. */
  constructor(
    stored: StoredEvent,
    event: ExchangeEvent,
    first: { readonly decisionEvents: number; readonly keyId: string | undefined } | null,
  ) {
    this.hash = stored.hash;
    this.id = stored.id;
    this.privateText = stored.privateText;
    this.publicText = stored.publicText;
    this.seq = stored.seq;
    this.type = stored.type;
    this.#bytes = bytesOf(stored);
    this.#decisionEvents = first?.decisionEvents ?? null;
    this.#event = event;
    this.#keyId = first?.keyId;
  }

  /** The event that these texts were made from; null when another process has made them, or a part was withheld. */
  static decoded(stored: StoredEvent): CommandlessEvent | null {
    if (!(#event in stored)) return null;
    const { hash, id, seq } = stored;
    const decoded = { decisionEvents: stored.#decisionEvents, event: stored.#event, hash, id, seq };
    return stored.#keyId === undefined ? decoded : { ...decoded, keyId: stored.#keyId };
  }

  /** The public part of that event; null in the same cases as `decoded`. */
  static decodedPublic(stored: StoredEvent): PublicCommandlessEvent | null {
    if (!(#event in stored)) return null;
    const { hash, id, seq } = stored;
    stored.#publicEvent ??= publicPart(stored.#event);
    return { decisionEvents: stored.#decisionEvents, event: stored.#publicEvent, hash, id, seq };
  }

  static bytes(stored: StoredEvent): number | null {
    return #event in stored ? stored.#bytes : null;
  }
}

export interface EncodedDecision {
  /** The size of the texts and types, which counts towards a batch's limit. */
  readonly bytes: number;
  readonly head: Head;
  readonly stored: readonly StoredEvent[];
}

/** The public part of a stored event, in its current version. */
interface EnvelopeFields {
  readonly causationId: string;
  readonly commandId: string;
  readonly correlationId: string;
  /** The number of the decision's events, on its first event; null on the others. */
  readonly decisionEvents: number | null;
  /** The display name in the public text of an event that opened an account in version 1; else absent. */
  readonly formerName?: string;
  readonly hash: string;
  readonly id: string;
  readonly seq: number;
  /** The version in which the event was stored; `event` is always in the current version. */
  readonly version: number;
}

/** A decoded event, with its private part, upcast to its current version. */
export interface JournalEvent extends EnvelopeFields {
  /** The whole command, on the first event of its decision; null on the others. */
  readonly command: Command | null;
  readonly event: ExchangeEvent;
}

/** An event without its command, upcast to the current version: for folds that need no commands. */
export interface CommandlessEvent extends Pick<
  JournalEvent,
  'decisionEvents' | 'event' | 'formerName' | 'hash' | 'id' | 'seq'
> {
  /** The key that sent the decision's command; only on the decision's first event, and only if a key sent it. */
  readonly keyId?: string;
}

/** The public part of a `CommandlessEvent`. */
export type PublicCommandlessEvent = Omit<CommandlessEvent, 'event' | 'formerName' | 'keyId'> & {
  readonly event: PublicEvent;
};

/** An event without its private part: the fields that its type declares private are missing. */
export interface PublicJournalEvent extends EnvelopeFields {
  readonly command: Stored | null;
  readonly event: PublicEvent;
}

/** A stored event that this reader cannot parse: it belongs to a newer build, or a part was withheld. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
  constructor(
    readonly seq: number,
    reason: string,
  ) {
    super(`event ${seq} cannot be read: ${reason}`);
  }
}

/** Encodes a decision as FORMAT.md says. @throws TypeError for a value without a canonical JSON text (a bug). */
export function encodeDecision({ command, events, head, salt }: AcceptedDecision): EncodedDecision {
  const causation = `{"causationId":${JSON.stringify(command.causationId)}`;
  const ids = `"commandId":${JSON.stringify(command.id)}`;
  const correlation = `"correlationId":${JSON.stringify(command.correlationId)}`;
  const split = splitCommand(command);
  const keyId = command.by.kind === 'key' ? command.by.keyId : undefined;
  const stored: StoredEvent[] = [];
  let { hash, seq } = head;
  let bytes = 0;
  for (const [index, event] of events.entries()) {
    seq += 1;
    const id = eventId(command.id, index);
    const first = index === 0;
    const { privateText: privateEvent, publicText: publicEvent, version } = splitEvent(event);
    const publicText =
      (first
        ? `${causation},"command":${split.publicText},${ids},"commandVersion":${split.version},` +
          `${correlation},"decisionEvents":${events.length},`
        : `${causation},${ids},${correlation},`) +
      `"event":${publicEvent},"id":"${id}","seq":${seq},"version":${version}}`;
    const privateText =
      first || privateEvent !== null
        ? `{${first ? `"command":${split.privateText},` : ''}${privateEvent === null ? '' : `"event":${privateEvent},`}` +
          `"salt":"${saltOf(salt, index)}"}`
        : null;
    hash = linkHash(hash, digest(publicText), privateDigest(privateText));
    const entry = new EncodedEvent(
      { hash, id, privateText, publicText, seq, type: event.type },
      event,
      first ? { decisionEvents: events.length, keyId } : null,
    );
    bytes += storedBytes(entry);
    stored.push(entry);
  }
  return { bytes, head: { hash, seq }, stored };
}

/** The bytes of a stored event that count towards a batch's limit: both texts and the type. */
export function storedBytes(event: StoredEvent): number {
  return EncodedEvent.bytes(event) ?? bytesOf(event);
}

function bytesOf(event: StoredEvent): number {
  return (
    Buffer.byteLength(event.publicText) +
    (event.privateText === null ? 0 : Buffer.byteLength(event.privateText)) +
    event.type.length
  );
}

/**
 * Decodes a stored event with its command, upcast to their current versions.
 * @throws UnreadableEvent for an unknown type or version, and for a private part that is withheld or has other fields
 * than it should.
 */
export function decode(stored: StoredEvent): JournalEvent {
  const { seq } = stored;
  const envelope = open(stored);
  const privatePart = readPrivatePart(stored);
  const event = wholeEvent(seq, envelope, () => privatePart, sortKeys);
  const command = envelope.command === undefined ? null : wholeCommand(seq, envelope, envelope.command, privatePart);
  if (privatePart !== null) checkPrivatePart(seq, privatePart, envelope);
  // encodeDecision made the texts from these types, and they are upcast to the current version.
  return read(stored, envelope, command as unknown as Command | null, event as unknown as ExchangeEvent);
}

/** Decodes an event without reading its command, in two thirds of the time. @throws UnreadableEvent */
export function decodeEvent(stored: StoredEvent): CommandlessEvent {
  const known = EncodedEvent.decoded(stored);
  if (known !== null) return known;
  const slim = withoutCommand(stored);
  const envelope = open(slim);
  const event = wholeEvent(stored.seq, envelope, () => readPrivatePart(slim), asUnited) as unknown as ExchangeEvent;
  const { decisionEvents = null, id, seq } = envelope;
  return withKeyId(withFormerName({ decisionEvents, event, hash: stored.hash, id, seq }, envelope), stored);
}

/** Decodes only the public part, for readers from whom private parts are withheld. @throws UnreadableEvent */
export function decodePublic(stored: Pick<StoredEvent, 'hash' | 'publicText' | 'seq'>): PublicJournalEvent {
  const envelope = open(stored);
  const { commandVersion = 0, event: storedEvent, version } = envelope;
  const storedCommand = envelope.command ?? null;
  const { command, event } = readable(stored.seq, () => ({
    command: storedCommand === null ? null : withIds(upcastCommand(storedCommand, commandVersion), envelope),
    event: upcastEvent(storedEvent, version),
  }));
  return read(stored, envelope, command, event as unknown as PublicEvent);
}

/** Decodes the public part without the command, as `decodeEvent` does. @throws UnreadableEvent */
export function decodePublicEvent(stored: StoredEvent): PublicCommandlessEvent {
  const known = EncodedEvent.decodedPublic(stored);
  if (known !== null) return known;
  const { hash } = stored;
  const envelope = open({ publicText: from('"commandId":', stored.publicText), seq: stored.seq });
  const { decisionEvents = null, id, seq } = envelope;
  const event = readable(stored.seq, () => upcastEvent(envelope.event, envelope.version)) as unknown as PublicEvent;
  return { decisionEvents, event, hash, id, seq };
}

/** Decodes and checks, as checkChain does, public parts of events after `head`. @throws ChainBroken; UnreadableEvent */
export function* readChain(head: Head, events: Iterable<StoredEvent>): Generator<PublicCommandlessEvent, void> {
  let last = head;
  for (const stored of events) {
    last = checkLink(last, stored);
    const read = decodePublicEvent(stored);
    checkNamed(stored, read);
    yield read;
  }
}

interface Envelope {
  readonly causationId: string;
  readonly command?: Stored;
  readonly commandId: string;
  readonly commandVersion?: number;
  readonly correlationId: string;
  readonly decisionEvents?: number;
  readonly event: Stored;
  readonly id: string;
  readonly seq: number;
  readonly version: number;
}

interface PrivatePart {
  readonly command?: Stored;
  readonly event?: Stored;
  readonly salt: string;
}

interface SplitTexts<PrivateText> {
  readonly privateText: PrivateText;
  readonly publicText: string;
  readonly version: number;
}

function splitCommand(command: Command): SplitTexts<string> {
  const { omittedFields, privateFields, version } = commandSplit(command.type);
  return {
    privateText: textOfOnly(command as unknown as Stored, privateFields),
    publicText: canonicalJson(command, omittedFields),
    version,
  };
}

function splitEvent(event: ExchangeEvent): SplitTexts<string | null> {
  const { type } = event;
  const { omittedFields, privateFields, version } = eventSplit(type);
  if (privateFields.length > 0) {
    return { privateText: textOfOnly(event, privateFields), publicText: canonicalJson(event, omittedFields), version };
  }
  // An event is built with its keys in order, so JSON.stringify gives its canonical text; the tests check that for
  // every type. Only an epoch's settings come from outside with their keys in any order.
  const publicText = type === 'WriterEpochStarted' ? canonicalJson(event) : JSON.stringify(event);
  return { privateText: null, publicText, version };
}

function publicPart(event: ExchangeEvent): PublicEvent {
  const { privateFields } = eventSplit(event.type);
  if (privateFields.length === 0) return event;
  // A loop, since each order needs this: a filter of `Object.entries` takes four times as long.
  const whole = event as unknown as Stored;
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(whole)) {
    if (!privateFields.includes(name)) fields[name] = whole[name];
  }
  return fields as unknown as PublicEvent;
}

/** Parses the public text. @throws UnreadableEvent also for NULL, which a table without its constraints may hold. */
function open({ publicText, seq }: Pick<StoredEvent, 'publicText' | 'seq'>): Envelope {
  const envelope = readable(seq, () => JSON.parse(publicText) as Envelope | null);
  if (envelope === null) throw new UnreadableEvent(seq, 'its public text is null');
  return envelope;
}

/** Removes the command from both texts, which then parse in two thirds of the time. */
function withoutCommand(stored: StoredEvent): Pick<StoredEvent, 'privateText' | 'publicText' | 'seq'> {
  const { privateText, publicText, seq } = stored;
  if (privateText === null) return stored;
  // A table without its constraints may hold NULL, for which `open` throws.
  return { privateText: from('"event":', privateText), publicText: from('"commandId":', publicText), seq };
}

/**
 * The text of an object from one of its members on; the whole text without such a member. In a canonical text no string
 * has an unescaped quotation mark, and no command has a field of that name, so `member` matches only the envelope's.
 */
function from(member: '"commandId":' | '"event":', text: string): string {
  const start = (text as string | null)?.indexOf(member) ?? -1;
  return start <= 1 ? text : `{${text.slice(start)}`;
}

function readPrivatePart({ privateText }: Pick<StoredEvent, 'privateText'>): PrivatePart | null {
  return privateText === null ? null : (JSON.parse(privateText) as PrivatePart);
}

/** Checks that the private part has exactly the required fields. */
function checkPrivatePart(seq: number, privatePart: PrivatePart, { command, event, version }: Envelope): void {
  const hasPrivateFields = (privateEventFields(String(event['type']), version)?.length ?? 0) > 0;
  const parts = Number(command !== undefined) + Number(hasPrivateFields);
  const isDue =
    (privatePart.event === undefined) === !hasPrivateFields &&
    (privatePart.command === undefined) === (command === undefined);
  if (!isDue || parts === 0 || typeof privatePart.salt !== 'string' || Object.keys(privatePart).length !== parts + 1) {
    throw new UnreadableEvent(seq, 'its private part has not what belongs there');
  }
}

/** Leaves the private fields after the public ones. */
const asUnited = (fields: Stored): Stored => fields;

/**
 * The event in its current version, with its private fields.
 * @param arrange `sortKeys`, so that it encodes to the same text again, or `asUnited`; called as `privatePart` only if
 * there are private fields
 */
function wholeEvent(
  seq: number,
  { event, version }: Envelope,
  privatePart: () => PrivatePart | null,
  arrange: (fields: Stored) => Stored,
): Stored {
  return readable(seq, () => {
    const fields = privateEventFields(String(event['type']), version);
    if (fields === undefined || fields.length === 0) return upcastEvent(event, version);
    return upcastEvent(arrange(mergeFields(event, present(privatePart()?.event), fields)), version);
  });
}

function wholeCommand(seq: number, envelope: Envelope, publicFields: Stored, privatePart: PrivatePart | null): Stored {
  const { commandVersion: version = 0 } = envelope;
  return readable(seq, () => {
    const fields = privateCommandFields(String(publicFields['type']), version);
    const whole =
      fields === undefined ? publicFields : mergeFields(publicFields, present(privatePart?.command), fields);
    return withIds(upcastCommand(whole, version), envelope);
  });
}

/** Adds the ids of a command, which the envelope holds. */
function withIds(command: Stored, { causationId, commandId: id, correlationId }: Envelope): Stored {
  return Object.assign(command, { causationId, correlationId, id });
}

function present(part: Stored | undefined): Stored {
  if (part === undefined) throw new Error('its private part was withheld');
  return part;
}

// Builds the decoded event without copying the parsed objects, since a start reads every event of the journal.
function read<C, E>(
  stored: Pick<StoredEvent, 'hash'>,
  envelope: Envelope,
  command: C,
  event: E,
): EnvelopeFields & { readonly command: C; readonly event: E } {
  const decoded = {
    causationId: envelope.causationId,
    command,
    commandId: envelope.commandId,
    correlationId: envelope.correlationId,
    decisionEvents: envelope.decisionEvents ?? null,
    event,
    hash: stored.hash,
    id: envelope.id,
    seq: envelope.seq,
    version: envelope.version,
  };
  return withFormerName(decoded, envelope);
}

/** Adds the former name to a decoded event. Most events have none, and get no such property. */
function withFormerName<D extends object>(decoded: D, { event, version }: Envelope): D {
  const formerName = formerNameIn(event, version);
  return formerName === null ? decoded : Object.assign(decoded, { formerName });
}

/** The key id of a command that a key sent. In a canonical text no string has an unescaped quotation mark. */
const SENT_BY_KEY = /"by":\{"accountId":"[^"]*","keyId":"([^"]*)","kind":"key"\}/;

/** Adds the key's id, found in the text: a command's private part is not parsed for these readers. */
function withKeyId<D extends Pick<CommandlessEvent, 'decisionEvents'>>(decoded: D, stored: StoredEvent): D {
  const keyId = decoded.decisionEvents === null ? undefined : SENT_BY_KEY.exec(stored.privateText ?? '')?.[1];
  return keyId === undefined ? decoded : Object.assign(decoded, { keyId });
}

/** The result of `read`. @throws UnreadableEvent with the reason why the event cannot be read. */
function readable<T>(seq: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UnreadableEvent(seq, error instanceof Error ? error.message : String(error));
  }
}

/** The largest batch, as EventStoreDB has it; so a journal can be moved from one adapter to another. */
export const MAX_BATCH_BYTES = 1024 * 1024;

/** Checks a batch. @throws AppendRefused if it is empty, has a gap, does not follow `expected`, or is too large. */
export function checkBatch(expected: Head, batch: readonly StoredEvent[]): void {
  if (batch.length === 0) throw new AppendRefused('the batch is empty');
  let bytes = 0;
  for (const [index, event] of batch.entries()) {
    if (event.seq !== expected.seq + 1 + index) {
      throw new AppendRefused(`sequence ${event.seq} cannot stand at ${expected.seq + 1 + index}`);
    }
    bytes += storedBytes(event);
  }
  if (bytes > MAX_BATCH_BYTES) {
    throw new AppendRefused(`the batch has ${bytes} bytes, ${MAX_BATCH_BYTES} are the limit`);
  }
}
