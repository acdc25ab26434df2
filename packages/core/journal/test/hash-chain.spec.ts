import { expect } from 'chai';
import { ChainBroken, checkChain, EMPTY_HEAD, withhold } from '../src/index.ts';
import type { StoredEvent } from '../src/index.ts';
import { goldenEvents } from './golden/golden.ts';

const HEAD = {
  hash: '0b7671efd0a9a424dfff3e5f2ca3c61cbbed9f9a171380aaa9d2cef309d16322',
  seq: 21,
};

function brokenAt(events: readonly StoredEvent[]): number {
  try {
    checkChain(EMPTY_HEAD, events);
  } catch (error) {
    if (error instanceof ChainBroken) return error.seq;
    throw error;
  }
  return 0;
}

describe('hash chain', () => {
  it('proves the golden journal, whole, in pieces, and with its private parts withheld', () => {
    expect(checkChain(EMPTY_HEAD, goldenEvents)).to.deep.equal(HEAD);
    expect(checkChain(checkChain(EMPTY_HEAD, goldenEvents.slice(0, 9)), goldenEvents.slice(9))).to.deep.equal(HEAD);
    expect(checkChain(EMPTY_HEAD, goldenEvents.map(withhold))).to.deep.equal(HEAD);
    expect(goldenEvents.map(withhold)[0]).not.to.have.any.keys('privateText');
    expect(checkChain(HEAD, [])).to.deep.equal(HEAD);
    expect(checkChain(EMPTY_HEAD, [])).to.deep.equal(EMPTY_HEAD);
  });

  it('finds every event that was changed, in any of its parts', () => {
    for (const [index, event] of goldenEvents.entries()) {
      const changes: Partial<StoredEvent>[] = [
        { publicText: event.publicText.replace('"at":179', '"at":178') },
        { publicText: `${event.publicText} ` },
        { privateText: event.privateText === null ? '{}' : null },
        { privateText: `${event.privateText ?? ''} ` },
        { hash: `${event.hash.startsWith('0') ? '1' : '0'}${event.hash.slice(1)}` },
        { id: event.id.replace('0', '1') },
        { seq: event.seq + 1 },
        { type: `${event.type}x` },
      ];
      for (const change of changes) {
        expect(brokenAt(goldenEvents.with(index, { ...event, ...change })), JSON.stringify(change)).to.equal(event.seq);
      }
    }
  });

  it('finds events that were lost, doubled or moved', () => {
    for (let index = 0; index + 1 < goldenEvents.length; index++) {
      expect(brokenAt(goldenEvents.toSpliced(index, 1))).to.equal(index + 1);
      expect(brokenAt(goldenEvents.toSpliced(index, 0, goldenEvents[index]!))).to.equal(index + 2);
      const swapped = goldenEvents.toSpliced(index, 2, goldenEvents[index + 1]!, goldenEvents[index]!);
      expect(brokenAt(swapped)).to.equal(index + 1);
    }
  });

  it('finds a withheld digest that is not the one, and one that is none', () => {
    for (const privateDigest of ['ab'.repeat(32), `${withhold(goldenEvents[0]!).privateDigest}00`, '']) {
      expect(() => checkChain(EMPTY_HEAD, [{ ...withhold(goldenEvents[0]!), privateDigest }])).to.throw(ChainBroken);
    }
  });
});
