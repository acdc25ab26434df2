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
  const { DeadManSwitchSet, MandateSet, OrderAmended, OrderReplaced, SharesMerged } = sampleEvents;
  const owner = { accountId: MandateSet.accountId, keyId: MandateSet.keyId, kind: 'key' } as const;
  const { keyId, mandate } = MandateSet;
  const { marketId, quantity } = SharesMerged;
  const { orderId } = OrderAmended;
  const amend = { at: OrderAmended.at, offTick: false, orderId, type: 'AmendOrder' } as const;
  const at = SharesMerged.at;
  return [
    placed(owner),
    { command: { ...base(0x302, owner), ...amend, priceUnits: null, quantity: 10 }, events: [OrderAmended] },
    { command: { ...base(0x303, owner), ...amend, priceUnits: 5_400, quantity: null }, events: [OrderReplaced] },
    { command: { ...base(0x304, owner), at, marketId, quantity, type: 'MergeShares' }, events: [SharesMerged] },
    { command: { ...base(0x305, owner), at, seconds: 60, type: 'SetDeadManSwitch' }, events: [DeadManSwitchSet] },
    { command: { ...base(0x306, owner), at, keyId, mandate, type: 'SetMandate' }, events: [MandateSet] },
  ];
}

/** An order for a sub-account, of which some fills and the rest is cancelled. */
function placed(owner: Actor): Decided {
  const { OrderCancelled, OrderFilled, OrderPlaced } = sampleEvents;
  const { clientOrderId, expiresAt, marketId, orderId, outcome, postOnly, priceUnits, quantity, side } = OrderPlaced;
  return {
    command: {
      ...base(0x301, owner),
      accountId: sampleId(0xb0b),
      at: OrderPlaced.at,
      clientOrderId,
      expiresAt,
      idempotency: { fingerprint: 'ab'.repeat(32), index: 3, key: 'batch-1' },
      marketId,
      maxPriceUnits: null,
      notionalUnits: null,
      offTick: false,
      orderId,
      orderType: 'limit',
      outcome,
      postOnly,
      priceUnits,
      quantity,
      side,
      slippageUnits: null,
      timeInForce: 'GTC',
      type: 'PlaceOrder',
    },
    events: [OrderPlaced, OrderFilled, OrderCancelled],
  };
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
