import type { Head } from '@paper/journal';
import { hash } from 'node:crypto';
import type { AuditableEvent } from '../../journal/audited-event.ts';
import { Fault } from '../../journal/fault.ts';

const sha256 = (data: string | Buffer, encoding: 'binary' | 'hex'): string => hash('sha256', data, encoding);

// Links are hashed synchronously, one at a time, so they can share one buffer.
const block = Buffer.alloc(96);

/** The hash of an event (hex), by FORMAT.md: SHA-256( hash(n−1) ‖ SHA-256(publicText) ‖ SHA-256(privateText) ). */
export function chainHash(before: string, { privateDigest, privateText, publicText }: AuditableEvent): string {
  block.write(before, 0, 'hex');
  // A binary text has one character for each byte, which takes half the time of hex digits.
  block.write(sha256(publicText, 'binary'), 32, 'binary');
  if (privateDigest !== undefined) block.write(privateDigest, 64, 'hex');
  else if (privateText === null) block.fill(0, 64);
  else block.write(sha256(privateText, 'binary'), 64, 'binary');
  return sha256(block, 'hex');
}

/** Follows a journal's sequence and hashes from a known head, by its own implementation of FORMAT.md. */
export class Chain {
  constructor(private last: Head) {}

  next(stored: AuditableEvent): void {
    const seq = this.last.seq + 1;
    if (stored.seq !== seq) {
      throw new Fault(
        'contiguous sequence',
        seq,
        null,
        stored.seq > seq ? `no event is there, the next one is ${stored.seq}` : `event ${stored.seq} comes again`,
        `the event of sequence ${seq}`,
      );
    }
    const due = chainHash(this.last.hash, stored);
    if (stored.hash !== due) {
      throw new Fault(
        'hash chain',
        seq,
        stored,
        `the stored hash is ${stored.hash}, which its texts do not give: a text, the hash, or what stands here was changed${seqMismatch(stored)}`,
        `${due} for these texts, or the texts that the stored hash was made of`,
      );
    }
    this.last = { hash: due, seq };
  }
}

/** Names the sequence in the event's own text if it is another one: the event was moved or inserted. */
function seqMismatch({ publicText, seq }: AuditableEvent): string {
  const publicSeq = /"seq":(\d+),"version":\d+\}$/.exec(publicText)?.[1];
  return publicSeq === undefined || Number(publicSeq) === seq ? '' : `; its public text has the sequence ${publicSeq}`;
}
