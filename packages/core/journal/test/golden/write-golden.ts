/**
 * Writes a golden file with the versions of events that no file has yet, by what the program of today stores:
 * `node --import tsx packages/core/journal/test/golden/write-golden.ts`. Give `newDecisions` an example of each. A file whose
 * versions are not released yet may be deleted and written again; one that is released stays as it is for ever.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Actor, Command } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import { decode, EMPTY_HEAD, encodeDecision } from '../../src/index.ts';
import type { Head } from '../../src/index.ts';
import { sampleEvents, sampleId } from '../sample-events.ts';
import { goldenFiles } from './golden.ts';
import type { GoldenVector } from './golden.ts';

interface Decided {
  readonly command: Command;
  readonly events: readonly ExchangeEvent[];
}

/** Decisions whose events, or whose command, are in versions that no golden file has. */
function newDecisions(): readonly Decided[] {
  const { AccountRenamed } = sampleEvents;
  const { accountId, at, nameDigest } = AccountRenamed;
  const by = { accountId, keyId: sampleId(0x5e1), kind: 'key' } as const;
  return [{ command: { ...base(0x601, by), at, nameDigest, type: 'RenameAccount' }, events: [AccountRenamed] }];
}

function base(n: number, by: Actor) {
  const id = sampleId(n);
  return { by, causationId: id, correlationId: id, id, idempotency: null };
}

const vectors: GoldenVector[] = [];
let head: Head = EMPTY_HEAD;
for (const { command, events } of newDecisions()) {
  const salt = createHash('sha256').update(command.id).digest('hex').slice(0, 32);
  const encoded = encodeDecision({ command, events, head, salt });
  for (const stored of encoded.stored) vectors.push({ decoded: decode(stored), stored });
  head = encoded.head;
}
const file = new URL(`format-${goldenFiles.length + 1}.json`, import.meta.url);
writeFileSync(file, `${JSON.stringify(vectors, null, 2)}\n`, { flag: 'wx' });
