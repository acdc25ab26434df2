import { expect } from 'chai';
import { correlationIdIn, createMemoryJournal, createMemoryLog, EMPTY_HEAD, observeFollow } from '../src/index.ts';
import { batchAfter } from './contract.ts';
import { goldenFiles } from './golden/golden.ts';

describe('the correlation id of a stored event', () => {
  it('is found in the text of every event that was ever written', () => {
    for (const { decoded, stored } of goldenFiles.flat()) {
      expect(correlationIdIn(stored), `${stored.type} ${decoded.version}`).to.equal(decoded.correlationId);
    }
  });

  it('is that of the envelope, whatever a title says', () => {
    const title = '","correlationId":"somebody';
    const [stored] = batchAfter(EMPTY_HEAD, 1, 1, title).events;
    expect(correlationIdIn(stored!)).to.equal(
      (JSON.parse(stored!.publicText) as { correlationId: string }).correlationId,
    );
  });

  it('is given with each event that is followed, before its reader has it', async () => {
    const journal = createMemoryJournal(createMemoryLog());
    const { events } = batchAfter(EMPTY_HEAD, 3, 7);
    await journal.append(EMPTY_HEAD, events);
    const noted: (readonly [number, string])[] = [];
    const stopping = new AbortController();
    const observed = observeFollow(journal, (seq, id) => noted.push([seq, id]));
    for await (const page of observed.follow(1, { signal: stopping.signal })) {
      expect(noted).to.deep.equal(page.map((stored) => [stored.seq, correlationIdIn(stored)]));
      stopping.abort();
    }
    expect(noted.map(([seq]) => seq)).to.deep.equal([1, 2, 3]);
  });
});
