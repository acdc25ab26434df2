import { expect } from 'chai';
import { createMemoryJournal, createMemoryLog } from '@paper/journal';
import { CANNOT_READ_JOURNAL, fromFirstEvent, loadWithRetries } from '../src/writer/load.ts';
import { FakeClock, meanwhile, turn } from '@paper/testkit';

describe('a load of the journal', () => {
  it('asked a journal that cannot be read again and again without a pause: the pauses grow', async () => {
    const clock = new FakeClock();
    const alarms: { readonly message: string; readonly atMs: number }[] = [];
    const begunMs = clock.monotonic();
    const inner = createMemoryJournal(createMemoryLog());
    const journal = {
      ...inner,
      read: (from: number, limit: number) =>
        alarms.length < 4 ? Promise.reject(new Error('no connection')) : inner.read(from, limit),
    };
    const observer = {
      alarm: (message: string) => void alarms.push({ atMs: clock.monotonic() - begunMs, message }),
      appended: () => undefined,
      decided: () => undefined,
      noted: () => undefined,
      queueDepth: () => undefined,
      resent: () => undefined,
    };
    const loading = loadWithRetries({ clock, ended: () => false, journal, observer }, fromFirstEvent);
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect(alarms).to.deep.equal([{ atMs: 0, message: CANNOT_READ_JOURNAL }]);
    expect((await meanwhile(clock, loading))?.head.seq).to.equal(0);
    const [, second, third, fourth] = alarms.map(({ atMs }) => atMs);
    expect([second, third, fourth].map((atMs) => Math.floor((atMs ?? 0) / 50) * 50)).to.deep.equal([50, 150, 350]);
  });
});
