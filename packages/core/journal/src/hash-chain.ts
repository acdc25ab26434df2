import { hash } from 'node:crypto';
import { EMPTY_HEAD } from './port.ts';
import type { Head, StoredEvent } from './port.ts';

/** The digest of a missing private part in a link: 32 zero bytes, as hex. */
const NO_PRIVATE_DIGEST = '0'.repeat(64);

/** An event without its private part, for a reader who may not see it; the part's digest still proves the chain. */
export interface WithheldEvent extends Omit<StoredEvent, 'privateText'> {
  /** SHA-256 (hex) of the private text; 64 zeros if the event never had one. */
  readonly privateDigest: string;
}

/** The stored events do not form a chain: one was changed, lost, added or moved. */
export class ChainBroken extends Error {
  override readonly name = 'ChainBroken';
  constructor(
    readonly seq: number,
    reason: string,
  ) {
    super(`the journal is broken at sequence ${seq}: ${reason}`);
  }
}

/** SHA-256 (hex) of a text's UTF-8 bytes. */
export function digest(text: string): string {
  return hash('sha256', text, 'hex');
}

// Links are hashed one at a time without awaiting in between, so they share one block.
const block = Buffer.alloc(96);

/** The hash of an event: SHA-256 over predecessor's hash ‖ public digest ‖ private digest, 32 bytes each. All hex. */
export function linkHash(predecessorHash: string, publicDigest: string, privateDigest: string): string {
  block.write(predecessorHash, 0, 32, 'hex');
  block.write(publicDigest, 32, 32, 'hex');
  block.write(privateDigest, 64, 32, 'hex');
  return hash('sha256', block, 'hex');
}

/** The digest that represents a private text, or the absence of one, in a link of the chain. */
export function privateDigest(privateText: string | null): string {
  return privateText === null ? NO_PRIVATE_DIGEST : digest(privateText);
}

/** The salt of an event's private part: the decision's own for its first event, derived ones for the others. */
export function saltOf(decisionSalt: string, index: number): string {
  return index === 0 ? decisionSalt : digest(`${decisionSalt}:${index}`).slice(0, 32);
}

/** Whether the event's hash covers this predecessor's hash, which proves all events before it unchanged. */
export function isLinkedTo(predecessorHash: string, event: StoredEvent): boolean {
  return linkHash(predecessorHash, digest(event.publicText), secretOf(event)) === event.hash;
}

/** The digest of the private text, also when that text was withheld from this reader. */
function secretOf({ privateDigest: given, privateText }: StoredEvent): string {
  return given ?? privateDigest(privateText);
}

/** Replaces the private text by its digest, for a reader that may not see private parts. */
export function withhold({ privateText, ...event }: StoredEvent): WithheldEvent {
  return { ...event, privateDigest: secretOf({ ...event, privateText }) };
}

/** Checks an event's sequence and hash after `head`, and returns the new head. @throws ChainBroken */
export function checkLink({ hash: last, seq: before }: Head, event: StoredEvent | WithheldEvent): Head {
  const seq = before + 1;
  if (event.seq !== seq) throw new ChainBroken(seq, `sequence ${event.seq} stands there`);
  const secret = 'privateText' in event ? secretOf(event) : event.privateDigest;
  // The block would cut or pad a digest of another length, so that the digest of another text could pass.
  if (!/^[0-9a-f]{64}$/.test(secret)) throw new ChainBroken(seq, 'its private digest is not 64 hex digits');
  const hash = linkHash(last, digest(event.publicText), secret);
  if (event.hash !== hash) throw new ChainBroken(seq, `its hash is ${event.hash}, its texts give ${hash}`);
  return { hash, seq };
}

/** Checks that sequence, id and type beside an event equal those in its public text. @throws ChainBroken */
export function checkNamed({ id, seq, type }: Pick<StoredEvent, 'id' | 'seq' | 'type'>, read: Named): void {
  if (read.seq === seq && read.id === id && read.event.type === type) return;
  throw new ChainBroken(seq, 'its sequence, id or type differs from its public text');
}

interface Named {
  readonly event: { readonly type: string };
  readonly id: string;
  readonly seq: number;
}

/** Makes both checks on events that follow `head`, and returns the new head. @throws ChainBroken */
export function checkChain(head: Head, events: Iterable<StoredEvent | WithheldEvent>): Head {
  let last = head;
  for (const event of events) {
    last = checkLink(last, event);
    checkNamed(event, JSON.parse(event.publicText) as Named);
  }
  return last.seq === 0 ? EMPTY_HEAD : last;
}
