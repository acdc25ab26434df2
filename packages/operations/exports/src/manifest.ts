import { VERSION } from '@paper/contracts';
import { iso } from '@paper/contracts/units';
import type { Head } from '@paper/journal';
import type { Column, FileFacts, Unit } from './columns.ts';
import type { Format } from './formats.ts';
import { TABLES } from './tables.ts';
import type { TableName } from './tables.ts';
import type { WrittenFile } from './table-file.ts';

/** The last event of an export, and its time in ms. */
export interface ExportEnd extends Head {
  readonly at: number;
}

/** The facts about an export's source. */
export interface ExportFacts {
  readonly format: Format;
  /** The end of the journal when the export began. */
  readonly head: Head;
  readonly through: ExportEnd;
  readonly shard: string;
  readonly rulesVersion: number;
  readonly marketId: string | null;
  readonly accountId: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** The meaning of an integer in each unit. */
const UNITS: Readonly<Record<Unit, string>> = {
  units: '$0.0001: divide by 10000 for dollars',
  'half units': '$0.00005: divide by 20000 for dollars',
  shares: 'shares, each of which pays at most $1',
  sequence: 'the number of an event in the journal, from 1',
  count: 'a number of things',
};

/** The manifest of an export. It has no time of its creation, so the same journal gives the same bytes. */
export function manifest(facts: ExportFacts, files: ReadonlyMap<TableName, WrittenFile>) {
  const { accountId, format, fromMs, head, marketId, rulesVersion, shard, through, toMs } = facts;
  return {
    manifestVersion: 2,
    service: { name: 'paper-trading-service', version: VERSION },
    journal: { shard, headSeq: head.seq, headHash: head.hash, rulesVersion },
    through: { seq: through.seq, hash: through.hash, at: iso(through.at) },
    selection: { marketId, accountId, from: timeOrNull(fromMs), to: timeOrNull(toMs) },
    format,
    units: UNITS,
    tables: Object.fromEntries(
      [...files].map(([name, file]) => [name, { ...file, columns: Object.entries(TABLES[name]).map(described) }]),
    ),
  };
}

export type Manifest = ReturnType<typeof manifest>;

/** The facts that identify a file on its own: its journal, and its last event. */
export function keyFacts({ head, rulesVersion, shard, through }: ExportFacts): FileFacts {
  return {
    shard,
    rules_version: String(rulesVersion),
    head_seq: String(head.seq),
    head_hash: head.hash,
    through_seq: String(through.seq),
    through_hash: through.hash,
    through_at: iso(through.at),
  };
}

function described([name, { description, isNullable, type, unit }]: readonly [string, Column]) {
  return { name, type, nullable: isNullable, ...(unit === null ? {} : { unit }), description };
}

export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
