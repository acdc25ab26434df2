import { AppendRefused, AppendUnknown, createMemoryJournal, createMemoryLog, EMPTY_HEAD } from '@paper/journal';
import type { Journal } from '@paper/journal';
import { expect } from 'chai';
import { StorageHealth } from '../src/storage-health.ts';

const FULL = 'the disk is full';
const ENDED = 'the database has ended';

/** A health with a clock and a log of the test's own. */
function start() {
  const clock = { nowMs: Date.UTC(2026, 0, 1) };
  const lines: string[] = [];
  const write = (_fields: unknown, text = String(_fields)): void => void lines.push(text);
  const storage = new StorageHealth({ error: write, warn: write } as never, () => clock.nowMs);
  return { clock, lines, storage };
}

describe('the health of the storage', () => {
  it('logs a problem at once, then once a minute, and its end', () => {
    const { clock, lines, storage } = start();
    for (let second = 0; second < 600; second += 1) {
      storage.report('disk', FULL);
      clock.nowMs += 1_000;
    }
    storage.report('disk', null);
    expect(lines).to.deep.equal([...Array.from({ length: 10 }, () => FULL), 'the database can store again']);
  });

  it('logs a problem that comes and goes once a minute', () => {
    const { clock, lines, storage } = start();
    for (let tenth = 0; tenth < 1_200; tenth += 1) {
      storage.report('server', tenth % 2 === 0 ? ENDED : null);
      clock.nowMs += 100;
    }
    expect(lines).to.deep.equal([ENDED, 'the database can store again', ENDED, 'the database can store again']);
  });

  it('names the oldest of several, since when it lasts, and is well when all are over', async () => {
    const { clock, storage } = start();
    const { check } = storage.readiness({ seq: () => Promise.resolve(1) });
    await check();
    storage.report('server', ENDED);
    clock.nowMs += 5_000;
    storage.report('disk', FULL);
    const why = (): Promise<string> => check().then(String, (error: unknown) => String(error));
    expect(await why()).to.equal(`Error: ${ENDED} (since 2026-01-01T00:00:00.000Z)`);
    storage.report('server', null);
    expect(await why()).to.equal(`Error: ${FULL} (since 2026-01-01T00:00:05.000Z)`);
    storage.report('disk', null);
    await check();
  });

  it('takes an append that finds no space for a problem, until its outcome is known', async () => {
    const { storage } = start();
    const memory = createMemoryJournal(createMemoryLog());
    const noSpace = Object.assign(new Error('could not extend file'), { code: '53100' });
    const outcomes: (Error | null)[] = [
      new AppendUnknown('no space', { cause: noSpace }),
      new AppendUnknown('connection lost', { cause: new Error('ECONNRESET') }),
      new AppendRefused('refused'),
      new AppendUnknown('no space', { cause: noSpace }),
      null,
    ];
    const append: Journal['append'] = () => {
      const outcome = outcomes.shift() ?? null;
      return outcome === null ? Promise.resolve() : Promise.reject(outcome);
    };
    const journal = storage.observe({ ...memory, append }, FULL);
    const seen: (string | undefined)[] = [];
    while (outcomes.length > 0) {
      await journal.append(EMPTY_HEAD, []).catch(() => undefined);
      seen.push(storage.problem?.what);
    }
    expect(seen).to.deep.equal([FULL, FULL, undefined, FULL, undefined]);
  });
});
