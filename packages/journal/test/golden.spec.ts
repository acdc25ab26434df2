import type { Command, EventType } from '@paper/exchange';
import { expect } from 'chai';
import {
  decode,
  decodeEvent,
  EMPTY_HEAD,
  encodeDecision,
  validateEvent,
  type Head,
  type StoredEvent,
} from '../src/index.ts';
import { goldenVectors } from './golden/golden.ts';
import { sampleEvents } from './sample-events.ts';

describe('golden vectors', () => {
  it('hold every type, and every version that was ever written', () => {
    const held = new Set(goldenVectors.map(({ decoded, stored }) => `${stored.type} ${decoded.version}`));
    const current = (Object.keys(sampleEvents) as EventType[]).map(
      (type) => `${type} ${type === 'MarketListed' ? 2 : 1}`,
    );
    expect([...held].sort()).to.deep.equal([...current, 'MarketListed 1'].sort());
  });

  for (const { decoded, stored } of goldenVectors) {
    it(`event ${stored.seq}, ${stored.type} version ${decoded.version}, reads as ever`, () => {
      expect(decode(stored)).to.deep.equal(decoded);
      expect(decodeEvent(stored).event).to.deep.equal(decoded.event);
      validateEvent(decode(stored).event);
    });
  }

  it('are what a decision of today encodes to, unless their version is a former one', () => {
    let head: Head = EMPTY_HEAD;
    let compared = 0;
    for (const [index, { decoded, stored }] of goldenVectors.entries()) {
      const { command, decisionEvents } = decoded;
      if (command === null || decisionEvents === null) continue;
      const decision = goldenVectors.slice(index, index + decisionEvents);
      const { salt } = JSON.parse(stored.privateText ?? '') as { salt: string };
      const events = decision.map((vector) => vector.decoded.event);
      const last = decision.at(-1)!.stored;
      if (stored.type !== 'MarketListed' || decoded.version !== 1) {
        const encoded = encodeDecision({ command, events, head, salt });
        expect(encoded.stored).to.deep.equal(decision.map((vector): StoredEvent => vector.stored));
        compared += encoded.stored.length;
      }
      head = { hash: last.hash, seq: last.seq };
    }
    expect(compared).to.equal(goldenVectors.length - 1);
  });

  it('show MarketListed and its command in version 1, without weight, drivers and tick, and what they became', () => {
    const { decoded, stored } = goldenVectors.find(
      ({ decoded: { version }, stored: { type } }) => type === 'MarketListed' && version === 1,
    )!;
    const written = JSON.parse(stored.publicText) as { command: object; commandVersion: number; event: object };
    validateEvent(written.event as { type: string }, 1);
    expect(written.commandVersion).to.equal(1);
    for (const part of [written.command, written.event])
      expect(part).not.to.have.any.keys('companyImpact', 'drivers', 'tickUnits');
    const added = { companyImpact: 0, drivers: [], tickUnits: 1 };
    expect(decode(stored).event).to.deep.equal({ ...written.event, ...added });
    expect(Object.keys(decode(stored).event)).to.deep.equal(Object.keys(sampleEvents.MarketListed));
    const command: Command = decoded.command!;
    expect(decode(stored).command).to.deep.equal({ ...command, ...written.command, ...added });
  });
});
