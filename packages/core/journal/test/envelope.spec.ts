import type { Command } from '@paper/exchange/commands';
import type { EventType, ExchangeEvent } from '@paper/exchange/events';
import { expect } from 'chai';
import { eventVersion } from '../src/formats.ts';
import {
  canonicalJson,
  checkChain,
  decode,
  decodeEvent,
  decodePublic,
  decodePublicEvent,
  EMPTY_HEAD,
  encodeDecision,
  UnreadableEvent,
} from '../src/index.ts';
import type { StoredEvent } from '../src/index.ts';
import { goldenEvents } from './golden/golden.ts';
import { sampleCommand, sampleEvents, sampleKeyCommand } from './sample-events.ts';

const salt = '0f'.repeat(16);

function encode(command: Command, events: readonly ExchangeEvent[]): readonly StoredEvent[] {
  return encodeDecision({ command, events, head: EMPTY_HEAD, salt }).stored;
}

function changed(stored: StoredEvent, change: (envelope: Record<string, unknown>) => void): StoredEvent {
  const envelope = JSON.parse(stored.publicText) as Record<string, unknown>;
  change(envelope);
  return { ...stored, publicText: JSON.stringify(envelope) };
}

describe('envelope', () => {
  for (const type of Object.keys(sampleEvents) as EventType[]) {
    it(`brings ${type} back whole, from canonical texts`, () => {
      const event: ExchangeEvent = sampleEvents[type];
      const [first, second] = encode(sampleCommand(7), [event, event]);
      for (const { privateText, publicText } of [first!, second!]) {
        expect(canonicalJson(JSON.parse(publicText))).to.equal(publicText);
        if (privateText !== null) expect(canonicalJson(JSON.parse(privateText))).to.equal(privateText);
      }
      expect(decode(first!)).to.deep.equal({
        causationId: sampleCommand(7).causationId,
        command: sampleCommand(7),
        commandId: sampleCommand(7).id,
        correlationId: sampleCommand(7).correlationId,
        decisionEvents: 2,
        event,
        hash: first!.hash,
        id: first!.id,
        seq: 1,
        version: eventVersion(type),
      });
      expect(decode(second!)).to.deep.include({ command: null, decisionEvents: null, event, seq: 2 });
      for (const stored of [first!, second!]) {
        const { command, decisionEvents, event: whole, hash, id, seq } = decode(stored);
        const sender = command?.by.kind === 'key' ? { keyId: command.by.keyId } : {};
        const shown = decodePublic(stored).event;
        // As this process has encoded it, and as it comes from a journal.
        for (const one of [stored, { ...stored }]) {
          expect(decodeEvent(one)).to.deep.equal({ decisionEvents, event: whole, hash, id, seq, ...sender });
          expect(decodePublicEvent(one)).to.deep.equal({ decisionEvents, event: shown, hash, id, seq });
        }
        expect(Object.keys(decode(stored).event)).to.deep.equal(Object.keys(whole).sort());
      }
      // Decoded events encode to the same bytes again, so an auditor can decide anew and compare hashes.
      expect(encode(sampleCommand(7), [decode(first!).event, decode(second!).event])).to.deep.equal([first, second]);
    });
  }

  it('numbers the events and their ids, chains them on, and counts their bytes', () => {
    const events = [sampleEvents.OrderPlaced, sampleEvents.OrderFilled, sampleEvents.OrderCancelled];
    const head = { hash: 'ab'.repeat(32), seq: 41 };
    const command = sampleCommand(9);
    const encoded = encodeDecision({ command, events, head, salt });
    expect(encoded.stored.map(({ id, seq, type }) => ({ id, seq, type }))).to.deep.equal([
      { id: `${command.id.slice(0, 33)}000`, seq: 42, type: 'OrderPlaced' },
      { id: `${command.id.slice(0, 33)}001`, seq: 43, type: 'OrderFilled' },
      { id: `${command.id.slice(0, 33)}002`, seq: 44, type: 'OrderCancelled' },
    ]);
    expect(checkChain(head, encoded.stored)).to.deep.equal(encoded.head);
    const bytes = encoded.stored.map((e) => Buffer.byteLength(e.publicText + (e.privateText ?? '') + e.type));
    expect(encoded.bytes).to.equal(bytes.reduce((sum, n) => sum + n, 0));
  });

  it('keeps who sent the command, its idempotency key and all but the id of a key out of the public part', () => {
    const [opened, issued] = encode(sampleKeyCommand(8), [sampleEvents.AccountOpened, sampleEvents.ApiKeyIssued]);
    const [placed, filled] = encode(sampleCommand(9), [sampleEvents.OrderPlaced, sampleEvents.OrderFilled]);
    for (const { publicText } of [opened!, issued!, placed!, filled!]) {
      expect(publicText).not.to.match(
        /keyHash|last4|"name"|permissions|"by":\{|idempotency|fingerprint|abababab|efefefef/,
      );
      expect(publicText).not.to.match(/ops|x9Zq|default|master/);
    }
    const { keyHash, last4, permissions } = sampleEvents.ApiKeyIssued;
    expect(JSON.parse(opened!.privateText!)).to.deep.equal({
      command: { by: { kind: 'operator', name: 'ops' }, idempotency: null, keyHash, last4, permissions },
      salt,
    });
    expect(JSON.parse(issued!.privateText!)).to.have.keys('event', 'salt').and.not.to.include({ salt });
    expect(filled!.privateText).to.equal(null);
  });

  it('reads the public part where the private one was withheld, and says so when asked for more', () => {
    const stored = encode(sampleKeyCommand(8), [sampleEvents.AccountOpened, sampleEvents.ApiKeyIssued]);
    const [opened, issued] = stored.map((event) => ({ ...event, privateText: null }));
    expect(() => decode(opened!)).to.throw(UnreadableEvent, 'event 1 cannot be read: its private part was withheld');
    expect(() => decode(issued!)).to.throw(UnreadableEvent, 'event 2 cannot be read: its private part was withheld');
    expect(decodeEvent(opened!).event).to.deep.equal(sampleEvents.AccountOpened);
    expect(() => decodeEvent(issued!)).to.throw(
      UnreadableEvent,
      'event 2 cannot be read: its private part was withheld',
    );
    expect(decodePublic(opened!).command).to.include({ id: sampleKeyCommand(8).id, type: 'OpenAccount' });
    const hidden = ['by', 'idempotency', 'keyHash', 'last4', 'name', 'permissions'];
    expect(decodePublic(opened!).command).not.to.have.any.keys(...hidden);
    expect(decodePublic(issued!).event)
      .to.include({ keyId: sampleEvents.ApiKeyIssued.keyId })
      .and.not.to.have.any.keys(...hidden);
  });

  it('reads neither types nor versions that it does not know', () => {
    const [stored] = encode(sampleCommand(7), [sampleEvents.OrderPlaced]);
    const cases: [string, (envelope: Record<string, unknown>) => void][] = [
      ['event type OrderEaten is unknown here', (e) => (e['event'] = { type: 'OrderEaten' })],
      ['event type toString is unknown here', (e) => (e['event'] = { type: 'toString' })],
      ['event OrderPlaced version 3 is unknown here, the current one is 2', (e) => (e['version'] = 3)],
      ['event OrderPlaced version 0 is unknown here, the current one is 2', (e) => (e['version'] = 0)],
      ['command type Eat is unknown here', (e) => (e['command'] = { type: 'Eat' })],
      ['command PlaceOrder version 3 is unknown here, the current one is 2', (e) => (e['commandVersion'] = 3)],
    ];
    for (const [message, change] of cases) {
      expect(() => decode(changed(stored!, change))).to.throw(UnreadableEvent, `event 1 cannot be read: ${message}`);
    }
  });

  describe('a forged private part', () => {
    const [opened, issued] = encode(sampleKeyCommand(8), [sampleEvents.AccountOpened, sampleEvents.ApiKeyIssued]);
    const [, filled] = encode(sampleCommand(9), [sampleEvents.OrderPlaced, sampleEvents.OrderFilled]);

    type Parts = { command?: object; event?: object; [other: string]: unknown };
    const forged = (stored: StoredEvent, change: (secret: Parts) => unknown): StoredEvent => {
      const secret = JSON.parse(stored.privateText ?? '{"salt":""}') as Parts;
      change(secret);
      return { ...stored, privateText: JSON.stringify(secret) };
    };
    const refusals: [string, StoredEvent][] = [
      ['has a public field of the command', forged(opened!, ({ command }) => Object.assign(command!, { keyId: 'x' }))],
      ['has a public field of the event', forged(issued!, ({ event }) => Object.assign(event!, { accountId: 'x' }))],
      ['lacks a field of the command', forged(opened!, (secret) => (secret.command = { by: null, keyHash: '' }))],
      ['lacks a field of the event', forged(issued!, (secret) => (secret.event = {}))],
      ['has an unknown field', forged(opened!, ({ command }) => Object.assign(command!, { surprise: 1 }))],
      [
        'is about an event that hides nothing',
        forged(opened!, (secret) => (secret.event = { startingBalanceUnits: 1 })),
      ],
      ['is about a command that is not there', forged(issued!, (secret) => (secret.command = { by: null }))],
      ['has another part besides', forged(opened!, (secret) => (secret['also'] = 1))],
      ['has no salt', forged(opened!, (secret) => delete secret['salt'])],
      ['stands beside an event that has none', forged(filled!, () => undefined)],
    ];
    for (const [what, stored] of refusals) {
      it(`is not read where it ${what}`, () => {
        expect(() => decode(stored)).to.throw(UnreadableEvent, `event ${stored.seq} cannot be read: its private part`);
      });
    }

    it('cannot be hidden by a public part that has the private field too', () => {
      const command = changed(opened!, (e) => Object.assign(e['command'] as object, { keyHash: 'ab'.repeat(32) }));
      const event = changed(issued!, (e) => Object.assign(e['event'] as object, { keyHash: 'ab'.repeat(32) }));
      const message = 'its public part has keyHash, which is private';
      expect(() => decode(command)).to.throw(UnreadableEvent, message);
      for (const read of [decode, decodeEvent]) expect(() => read(event)).to.throw(UnreadableEvent, message);
    });

    it('is met by who folds events alone, as far as it is about the event', () => {
      const withPublic = forged(issued!, ({ event }) => Object.assign(event!, { accountId: 'x' }));
      expect(() => decodeEvent(withPublic)).to.throw(UnreadableEvent, 'has accountId, which is not private of it');
    });
  });

  it('refuses a command that has no canonical text', () => {
    const command = { ...sampleCommand(7), marketId: '\ud800' } as Command;
    expect(() => encode(command, [sampleEvents.OrderPlaced])).to.throw(TypeError);
  });

  it('names the sequence of an event whose public text is NULL or no JSON', () => {
    for (const [text, reason] of [
      [null, 'its public text is null'],
      ['{', 'JSON'],
    ] as const) {
      const stored = { ...goldenEvents[2]!, publicText: text as string };
      for (const read of [decode, decodeEvent, decodePublic, decodePublicEvent]) {
        expect(() => read(stored)).to.throw(UnreadableEvent, new RegExp(`^event 3 cannot be read: .*${reason}`));
      }
    }
  });
});
