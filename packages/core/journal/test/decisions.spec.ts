import { createState, decide, evolve, RULES_VERSION } from '@paper/exchange';
import { DEFAULT_SETTINGS, PLAIN_ORDER } from '@paper/exchange/commands';
import type { Actor, Command, CommandBase } from '@paper/exchange/commands';
import type { ExchangeEvent } from '@paper/exchange/events';
import { dump } from '@paper/testkit/dumps';
import { expect } from 'chai';
import {
  canonicalJson,
  checkChain,
  createMemoryJournal,
  decode,
  EMPTY_HEAD,
  encodeDecision,
  validateEvent,
} from '../src/index.ts';
import type { JournalEvent } from '../src/index.ts';
import { sampleEvents, sampleId } from './sample-events.ts';

const AT = 1_790_000_000_000;
const operator: Actor = { kind: 'operator', name: 'ops' };
const system: Actor = { kind: 'system' };
const [alice, bob, carol] = [sampleId(0xa), sampleId(0xb), sampleId(0xc)];

type Wish = Command extends infer C ? (C extends Command ? Omit<C, keyof CommandBase> : never) : never;

/** A life of the exchange in which every type of event happens. */
function commands(): Command[] {
  const list: Command[] = [];
  const add = (by: Actor, wish: Wish): void => {
    const id = sampleId(0x1000 + list.length);
    const idempotency = by.kind === 'key' ? { fingerprint: 'fe'.repeat(32), key: `key-${list.length}` } : null;
    list.push({ ...wish, at: AT + list.length, by, causationId: id, correlationId: id, id, idempotency });
  };
  const keyOf = (accountId: string): Actor => ({ accountId, keyId: `${accountId.slice(0, -3)}00e`, kind: 'key' });
  const newKey = (accountId: string): { keyHash: string; keyId: string; last4: string } => ({
    keyHash: accountId.replaceAll('-', '').padEnd(64, '0'),
    keyId: `${accountId.slice(0, -3)}00e`,
    last4: 'wxyz',
  });
  const order = (accountId: string, outcome: 'yes' | 'no', priceUnits: number, quantity: number): void =>
    add(keyOf(accountId), {
      ...PLAIN_ORDER,
      accountId: null,
      marketId: 'm1',
      maxPriceUnits: null,
      notionalUnits: null,
      offTick: false,
      orderId: sampleId(0x5000 + list.length),
      orderType: 'limit',
      outcome,
      priceUnits,
      quantity,
      side: 'buy',
      slippageUnits: null,
      timeInForce: 'GTC',
      type: 'PlaceOrder',
    });
  add(system, {
    build: 'test',
    rulesVersion: RULES_VERSION,
    settings: { ...DEFAULT_SETTINGS, complianceMode: 'kyc' },
    type: 'StartWriterEpoch',
    writerId: 'w',
  });
  for (const accountId of [alice, bob]) {
    add(operator, {
      accountId,
      nameDigest: 'd1'.repeat(32),
      permissions: ['view', 'trade', 'master', 'reconcile'],
      startingBalanceUnits: null,
      type: 'OpenAccount',
      ...newKey(accountId),
    });
    add(operator, { accountId, type: 'ApproveAccount' });
  }
  add(keyOf(alice), {
    accountId: carol,
    nameDigest: 'd2'.repeat(32),
    permissions: null,
    type: 'OpenSubAccount',
    ...newKey(carol),
  });
  add(keyOf(alice), { keyId: newKey(carol).keyId, type: 'RevokeApiKey' });
  for (const marketId of ['m1', 'm2']) {
    add(operator, { ...sampleEvents.MarketListed, closesAt: AT + 1e9, marketId, type: 'ListMarket' });
  }
  const amend = { citationUrl: null, closesAt: null, companyImpact: 0.5, description: null, drivers: null };
  add(operator, { ...amend, marketId: 'm1', title: 'Amended', type: 'AmendMarket' });
  add(operator, { marketId: 'm1', type: 'PauseMarket' });
  add(operator, { marketId: 'm1', type: 'ActivateMarket' });
  order(alice, 'yes', 6_000, 10);
  order(bob, 'no', 4_000, 4);
  const orderId = sampleId(0x5000 + list.length - 2);
  add(keyOf(alice), { offTick: false, orderId, priceUnits: null, quantity: 8, type: 'AmendOrder' });
  add(keyOf(alice), { offTick: false, orderId, priceUnits: 5_900, quantity: null, type: 'AmendOrder' });
  add(keyOf(alice), { orderId, type: 'CancelOrder' });
  order(bob, 'yes', 5_000, 2);
  order(alice, 'no', 5_000, 2);
  add(keyOf(alice), { marketId: 'm1', quantity: null, type: 'MergeShares' });
  add(keyOf(alice), { seconds: 60, type: 'SetDeadManSwitch' });
  const { mandate } = sampleEvents.MandateSet;
  add(keyOf(alice), { keyId: newKey(alice).keyId, mandate, type: 'SetMandate' });
  add(operator, { ...sampleEvents.SignalRecorded, type: 'RecordSignal' });
  add(operator, { marketId: 'm1', type: 'CloseMarket' });
  add(operator, {
    citationUrl: null,
    headline: null,
    marketId: 'm1',
    outcome: 'yes',
    source: null,
    type: 'ResolveMarket',
  });
  for (let piece = 0; piece < 3; piece++) add(system, { marketId: 'm1', type: 'ContinueRun' });
  add(operator, { marketId: 'm2', priceUnits: 2_500, reason: 'withdrawn', type: 'VoidMarket' });
  add(keyOf(alice), { nameDigest: 'd3'.repeat(32), type: 'RenameAccount' });
  add(operator, { accountId: alice, type: 'CloseAccount' });
  add(system, { accountId: alice, type: 'ContinueClosing' });
  add(operator, { accountId: alice, type: 'ForgetDisplayNames' });
  return list;
}

describe('decisions of the exchange in the journal', () => {
  it('come back as they were decided, and fold and decide to the same again', async () => {
    const journal = createMemoryJournal();
    const live = createState();
    const decided: { command: Command; events: readonly ExchangeEvent[] }[] = [];
    for (const command of commands()) {
      const decision = decide(live, command);
      if (decision.kind !== 'accepted') {
        expect(command.type, JSON.stringify(decision)).to.be.oneOf(['ContinueRun', 'ContinueClosing']);
        continue;
      }
      const head = await journal.head();
      const { stored } = encodeDecision({ command, events: decision.events, head, salt: '1c'.repeat(16) });
      await journal.append(head, stored);
      decided.push({ command, events: decision.events });
      for (const [index, event] of decision.events.entries()) {
        validateEvent(event);
        expect(JSON.stringify(event), 'built in the order of its canonical text').to.equal(canonicalJson(event));
        evolve(live, event, index === 0 ? command : null);
      }
    }
    const stored = await journal.read(1, 1_000);
    expect(new Set(stored.map(({ type }) => type))).to.deep.equal(new Set(Object.keys(sampleEvents)));
    expect(checkChain(EMPTY_HEAD, stored)).to.deep.equal(await journal.head());

    const read: JournalEvent[] = stored.map(decode);
    const again = createState();
    for (const { command, event, seq } of read) {
      if (command !== null) {
        const { command: original, events } = decided.shift()!;
        expect(command).to.deep.equal(original);
        expect(decide(again, command)).to.deep.equal({ events, kind: 'accepted' });
        expect(read.slice(seq - 1, seq - 1 + events.length).map((entry) => entry.event)).to.deep.equal(events);
      }
      evolve(again, event, command);
    }
    expect(decided).to.deep.equal([]);
    expect(dump(again)).to.deep.equal(dump(live));
  });
});
