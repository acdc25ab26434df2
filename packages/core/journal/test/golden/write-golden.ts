/**
 * Writes a golden file with the versions of events that no file has yet, by what the program of today stores:
 * `node --import tsx packages/core/journal/test/golden/write-golden.ts`. Give `WITH_NEW_TYPES` an example of each new type.
 * A file whose versions are not released yet may be deleted and written again; one that is released stays for ever.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Command } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import { decode, EMPTY_HEAD, encodeDecision } from '../../src/index.ts';
import type { Head } from '../../src/index.ts';
import { goldenFiles, isOfToday } from './golden.ts';
import type { GoldenVector } from './golden.ts';

interface Decided {
  readonly command: Command;
  readonly events: readonly ExchangeEvent[];
}

/** Decisions with an event of a type that no golden file has yet. */
const WITH_NEW_TYPES: readonly Decided[] = [];

/** Decisions of the golden files whose types of events no file has in a decision of today: as they are read today. */
function reencoded(): readonly Decided[] {
  const decisions = goldenFiles.flatMap((journal) =>
    journal.flatMap(({ decoded: { command, decisionEvents } }, index) =>
      command === null || decisionEvents === null ? [] : [journal.slice(index, index + decisionEvents)],
    ),
  );
  const typesIn = (decision: readonly GoldenVector[]): readonly string[] => decision.map(({ stored }) => stored.type);
  const held = new Set(decisions.filter(isOfToday).flatMap(typesIn));
  return decisions.toReversed().flatMap((decision) => {
    const [first] = decision;
    const isNew = typesIn(decision).some((type) => !held.has(type));
    const command = first === undefined ? null : decode(first.stored).command;
    if (!isNew || command === null) return [];
    for (const type of typesIn(decision)) held.add(type);
    return [{ command: sorted(command), events: decision.map(({ stored }) => sorted(decode(stored).event)) }];
  });
}

/** With its keys in the order of the canonical text. */
function sorted<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) as T;
}

const vectors: GoldenVector[] = [];
let head: Head = EMPTY_HEAD;
for (const { command, events } of [...reencoded(), ...WITH_NEW_TYPES]) {
  const salt = createHash('sha256').update(command.id).digest('hex').slice(0, 32);
  const encoded = encodeDecision({ command, events, head, salt });
  for (const stored of encoded.stored) vectors.push({ decoded: decode(stored), stored });
  head = encoded.head;
}
const file = new URL(`format-${goldenFiles.length + 1}.json`, import.meta.url);
writeFileSync(file, `${JSON.stringify(vectors, null, 2)}\n`, { flag: 'wx' });
