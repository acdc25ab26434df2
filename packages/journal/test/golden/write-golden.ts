/**
 * Writes a golden file with the versions of events that no file has yet, by what the program of today stores:
 * `node --import tsx packages/journal/test/golden/write-golden.ts`. Give `newDecisions` an example of each. A file whose
 * versions are not released yet may be deleted and written again; one that is released stays as it is for ever.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Actor, Command, ExchangeEvent } from '@paper/exchange';
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
  const { epoch, type, ...fields } = sampleEvents.WriterEpochStarted;
  const startEpoch = { ...fields, rulesVersion: 2 };
  const listed = { ...sampleEvents.MarketListed, marketId: 'demo:acme-q2', phase: 'closed' as const };
  return [
    {
      command: { ...base(0x201, { kind: 'system' }), ...startEpoch, type: 'StartWriterEpoch' },
      events: [{ ...startEpoch, epoch, type }],
    },
    { command: { ...base(0x202, { kind: 'operator', name: 'ops' }), ...listed, type: 'ListMarket' }, events: [listed] },
    ...accounts(),
  ];
}

/** A primary and a sub-account, each with its first key, and a further key. */
function accounts(): readonly Decided[] {
  const { AccountOpened: opened, ApiKeyIssued: issued, SubAccountOpened: subOpened } = sampleEvents;
  const { keyHash, keyId, last4, permissions } = issued;
  const key = { keyHash, keyId, last4 };
  const operator = { kind: 'operator', name: 'ops' } as const;
  const owner = { accountId: opened.accountId, keyId, kind: 'key' } as const;
  const subKey = { keyHash: '12'.repeat(32), keyId: sampleId(0x5e2), last4: 'abcd' };
  const further = { ...issued, keyHash: '34'.repeat(32), keyId: sampleId(0x5e3), last4: 'efgh', name: 'größer 🦊' };
  return [
    {
      command: {
        ...base(0x203, operator),
        ...opened,
        ...key,
        permissions,
        startingBalanceUnits: null,
        type: 'OpenAccount',
      },
      events: [opened, issued],
    },
    {
      command: {
        ...base(0x204, owner),
        ...subKey,
        accountId: subOpened.accountId,
        at: subOpened.at,
        idempotency: { fingerprint: 'ef'.repeat(32), key: 'sub-1' },
        nameDigest: subOpened.nameDigest,
        permissions: null,
        type: 'OpenSubAccount',
      },
      events: [subOpened, { ...issued, ...subKey, accountId: subOpened.accountId, permissions: subOpened.permissions }],
    },
    { command: { ...base(0x205, owner), ...further, type: 'IssueApiKey' }, events: [further] },
  ];
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
