import { FakeClock, turn, until } from '@paper/testkit';
import { expect } from 'chai';
import { JOURNAL_THREATENED, watchJournalThreat } from '../src/leadership/journal-threat.ts';
import { buy, codeOf, listMarket, openAccount, typesIn, writerHarness } from './writer-harness.ts';

const THREAT = 'stream exchange-main can lose events: its metadata has $maxCount = 1000';

async function pass(clock: FakeClock, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 1) {
    clock.advance(1_000);
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }
}

// No process noticed it while services ran, and a scavenge then destroyed all but 1,000 events.
describe('a journal that can lose events', () => {
  it('gets no command and no timer until that is mended, and then both by themselves', async () => {
    let threat: string | null = null;
    const harness = writerHarness({ journal: (inner) => ({ ...inner, threat: () => threat }) });
    const { clock, log, submit, writer } = harness;
    await writer.start();
    await submit(listMarket('m', clock.now() + 60_000));
    await submit(openAccount('ada'));
    const events = log.events.length;
    threat = THREAT;
    expect(await codeOf(submit(buy('ada', 'm')))).to.equal('unavailable');
    await pass(clock, 120);
    expect(log.events).to.have.length(events);
    expect(writer.taking, 'the operator’s status is answered').to.equal(true);
    threat = null;
    await pass(clock, 11);
    await until('the market is closed', () => typesIn(log).includes('MarketClosed'));
    await submit(listMarket('n'));
    expect(await codeOf(submit(buy('ada', 'n')))).to.equal('ok');
    await writer.stop(1);
  });

  it('is one alarm when it begins, and one line when it is over', async () => {
    let threat: string | null = null;
    const lines: string[] = [];
    const clock = new FakeClock();
    const stop = watchJournalThreat({ threat: () => threat }, clock, {
      alarm: (message, error) => void lines.push(`${message}: ${String(error)}`),
      noted: (message) => void lines.push(message),
    });
    await pass(clock, 5);
    threat = THREAT;
    await pass(clock, 60);
    threat = null;
    await pass(clock, 5);
    expect(lines).to.deep.equal([
      `${JOURNAL_THREATENED}: Error: ${THREAT}`,
      'the journal cannot lose events any more; commands are taken again',
    ]);
    stop();
  });
});
