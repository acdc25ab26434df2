import { expect } from 'chai';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { StoredEvent } from '@paper/journal';
import { FiledEvents } from '../../src/process/filed-events.ts';

const event = (seq: number): StoredEvent => ({
  hash: 'a'.repeat(64),
  id: `event-${seq}`,
  privateText: seq % 3 === 0 ? null : `{"salt":"ä${seq}"}`,
  publicText: `{"seq":${seq},"text":"ü\\n"}`,
  seq,
  type: 'OrderPlaced',
});

describe('events in files', () => {
  it('are those of an array, whichever are in memory still', () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'events-')), 'journal.ndjson');
    const events = new FiledEvents(file);
    const all = Array.from({ length: 10_050 }, (_, index) => event(index + 1));
    for (let from = 0; from < all.length; from += 150) {
      expect(events.push(...all.slice(from, from + 150))).to.equal(from + 150);
      events.write();
    }
    for (const [from, to] of [
      [0, 1],
      [99, 101],
      [0, 10_050],
      [4_321, 9_999],
      [7_000, 7_000],
      [8_000, 8_100],
      [10_049, 10_060],
      [10_050, 10_060],
    ] as const) {
      expect(events.slice(from, to), `${from} to ${to}`).to.deep.equal(all.slice(from, to));
    }
    expect([events.length, events.at(0), events.at(-1), events.at(10_050)]).to.deep.equal([
      ...[10_050, all[0], all.at(-1)],
      undefined,
    ]);
    events.close();
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines).to.have.length(10_051);
    expect(JSON.parse(lines[1] ?? '')).to.deep.include({ publicText: event(2).publicText, seq: 2 });
    expect([lines[1]?.includes('salt'), existsSync(`${file}.private`)]).to.deep.equal([false, false]);
  });
});
