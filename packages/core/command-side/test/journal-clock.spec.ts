import { MINUTE_MS, DAY_MS } from '@paper/contracts/units';
import { createState, decide } from '@paper/exchange';
import { createMemoryJournal, EMPTY_HEAD, encodeDecision } from '@paper/journal';
import { openAccount } from '@paper/testkit';
import { expect } from 'chai';
import { JournalClock } from '../src/leadership/journal-clock.ts';

const AT = Date.UTC(2026, 10, 22, 12);

/** Makes a clock that is `aheadMs` after the last event of a journal, and records what is logged. */
async function scene(aheadMs: number, events = 1) {
  const journal = createMemoryJournal();
  if (events > 0) {
    const command = { ...openAccount('ann'), at: AT };
    const decision = decide(createState(), command);
    if (decision.kind !== 'accepted') throw new Error('it was refused');
    await journal.append(
      EMPTY_HEAD,
      encodeDecision({ command, events: decision.events, head: EMPTY_HEAD, salt: 'ab'.repeat(16) }).stored,
    );
  }
  const noted: string[] = [];
  const clock = new JournalClock({
    journal,
    clock: { now: () => AT + aheadMs },
    observer: { noted: (message) => void noted.push(message) },
  });
  return { clock, noted };
}

describe("the wall clock beside the journal's last event, at a start", () => {
  for (const [what, aheadMs] of [
    ['at the same time', 0],
    ['60 s before it', -60_000],
    ['400 days after it', 400 * DAY_MS],
  ] as const) {
    it(`fits ${what}`, async () => {
      expect(await (await scene(aheadMs)).clock.disagreement()).to.equal(null);
    });
  }

  it('does not fit more than 60 s before it, and says which two times differ and what to do', async () => {
    expect(await (await scene(-123 * MINUTE_MS)).clock.disagreement()).to.equal(
      "the wall clock says 2026-11-22T09:57:00.000Z, 2 h 3 min before the journal's last event (sequence 2, " +
        '2026-11-22T12:00:00.000Z): set the clock right, or start with --accept-clock if it is',
    );
    expect(await (await scene(-60_001)).clock.disagreement()).to.match(/60 s before the journal's last event/);
  });

  it('does not fit more than 400 days after it', async () => {
    expect(await (await scene(400 * DAY_MS + 1)).clock.disagreement()).to.match(/400 d 0 h after the journal's last/);
  });

  it('fits an empty journal, whatever it says', async () => {
    expect(await (await scene(-AT, 0)).clock.disagreement()).to.equal(null);
  });

  it('notes a pause of more than a day, once', async () => {
    const { clock, noted } = await scene(3 * DAY_MS + 4 * 60 * MINUTE_MS);
    await clock.disagreement();
    await clock.disagreement();
    expect(noted).to.deep.equal(["the journal's last event is 3 d 4 h old"]);
    const quiet = await scene(DAY_MS);
    await quiet.clock.disagreement();
    expect(quiet.noted).to.deep.equal([]);
  });
});
