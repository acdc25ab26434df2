import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withhold } from '@paper/journal';
import type { StoredEvent } from '@paper/journal';
import { expect } from 'chai';
import { bookAt, NoJournal, openReadOnly, verifyJournal } from '../src/index.ts';
import type { AuditVerdict, Check } from '../src/index.ts';
import { makeEvents } from './audited-journal.ts';
import { EDITS, forged, FORGERIES, withText } from './damages.ts';
import { HIDDEN, ID_FORGERIES, PART_FORGERIES } from './part-damages.ts';

/** Forgeries that another check detects where private parts are withheld. */
const SEEN_OTHERWISE: Readonly<Record<string, Check>> = {
  'a public quantity that the private part overrides': 'decided again',
};

const lineOf = (event: StoredEvent): string => `${JSON.stringify(withhold(event))}\n`;

describe('the audit of a journal that was downloaded', function () {
  this.timeout(60_000);
  const events = makeEvents(11, 2_000);
  let folder: string;
  let file: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'paper-public-'));
    file = path.join(folder, 'journal.ndjson');
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  async function verify(text: string, fromSeq = 1): Promise<AuditVerdict> {
    writeFileSync(file, text);
    const journal = await openReadOnly(file, 'main', 'audit');
    try {
      return await verifyJournal({ fromSeq, journal, shard: 'main' });
    } finally {
      await journal.close();
    }
  }

  it('proves all but that commands are decided to the same', async () => {
    const last = events.at(-1);
    const whole = events.map(lineOf).join('');
    for (const text of [whole, whole.trimEnd()]) {
      const { end, fault, proven, withheld } = await verify(text);
      expect(fault?.message).to.equal(undefined);
      expect({ end, proven, withheld }).to.deep.equal({
        end: { hash: last?.hash, seq: last?.seq },
        proven: { hash: last?.hash, seq: last?.seq },
        withheld: true,
      });
    }
    expect((await verify(whole, 1_234)).fault).to.equal(null);
  });

  it('refuses a file without events, which would prove nothing', async () => {
    const failure = await verify('').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(NoJournal);
    expect(String(failure)).to.equal(`NoJournal: There is no journal in ${file}: it has no events.`);
  });

  it('gives the past, forwards and backwards', async () => {
    writeFileSync(file, events.map(lineOf).join(''));
    const journal = await openReadOnly(file, 'main', 'audit');
    const whole = {
      head: () => journal.head(),
      read: (seq: number, limit: number) => Promise.resolve(events.slice(seq - 1, seq - 1 + limit)),
    };
    for (const seq of [1_800, 900]) {
      expect(await bookAt(journal, 'market-1', { seq })).to.deep.equal(await bookAt(whole, 'market-1', { seq }));
    }
    await journal.close();
  });

  for (const [what, damage] of Object.entries({ ...EDITS, ...FORGERIES, ...PART_FORGERIES, ...ID_FORGERIES })) {
    it(`${HIDDEN.has(what) ? 'cannot see' : 'finds and names'} ${what}`, async () => {
      const { events: damaged, check, seq } = damage(events);
      const { fault } = await verify(damaged.map(lineOf).join(''));
      if (HIDDEN.has(what)) expect(fault?.message).to.equal(undefined);
      else expect(fault, fault?.message).to.include({ check: SEEN_OTHERWISE[what] ?? check, seq });
    });
  }

  it('finds and names an event without its command or its content, also among those that are not judged', async () => {
    for (const [said, tells] of [
      [{ commandId: undefined }, /its public text has no commandId; right would be: a string/],
      [{ commandId: 5 }, /its public text has commandId 5; right would be: a string/],
      [{ event: null }, /the event cannot be read/],
    ] as const) {
      const damaged = forged(events, 700, withText(said));
      const { fault } = await verify(damaged.map(lineOf).join(''), 1_234);
      expect(fault, fault?.message).to.include({ check: 'schema', seq: 701 });
      expect(fault?.message).to.match(tells);
    }
  });

  it('finds and names a line that is there again, also where a page of events begins', async () => {
    for (const index of [700, 1_000, events.length - 1]) {
      const lines = events.map(lineOf);
      lines.splice(index, 0, lineOf(events[499] as StoredEvent));
      const { fault } = await verify(lines.join(''));
      expect(fault?.message).to.match(
        new RegExp(`contiguous sequence: at sequence ${index + 1} event 500 comes again`),
      );
    }
  });

  it('finds and names a private part that is said to be missing', async () => {
    const lines = events.map(lineOf);
    lines[4] = JSON.stringify({ ...withhold(events[4] as StoredEvent), privateDigest: '0'.repeat(64) }) + '\n';
    const { fault } = await verify(lines.join(''));
    expect(fault).to.include({ check: 'hash chain', seq: 5 });
  });

  it('names a line that is none, after what is wrong before it', async () => {
    const lines = events.map(lineOf);
    lines[1_500] = '{"seq":1}\n';
    const text = /schema: at sequence 1501 line 1501 is none; right would be: a line as GET \/api\/journal gives it/;
    expect((await verify(lines.join(''))).fault?.message).to.match(text);
    lines.splice(1_100, 1);
    expect((await verify(lines.join(''))).fault).to.include({ check: 'contiguous sequence', seq: 1_101 });
  });

  it('cannot detect that a file was cut off', async () => {
    const failure = await verify(events.map(lineOf).join('').slice(0, -20)).catch((error: unknown) => error);
    expect(String(failure)).to.match(
      /NoPublicFile: .* does not end with a line .* verify-journal\.mjs goes on with --save/,
    );
  });
});
