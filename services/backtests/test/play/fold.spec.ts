import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Invariants } from '@paper/auditor';
import { decodeEvent } from '@paper/journal';
import { MADE_NEWS, openTape } from '@paper/tapes';
import { expect } from 'chai';
import { TapePlayer } from '../../src/play/player.ts';
import { bookOf, momentsOf, NaiveTape } from './played-tape.ts';
import { openTapeExchange } from './tape-exchange.ts';

const WINDOWS = path.join(process.env['GOLD_DIR'] ?? '/nowhere', 'events');
const windows = existsSync(WINDOWS) ? readdirSync(WINDOWS) : [];

/** Plays a tape without participants; after each event the book is the tape's, and money is conserved. */
async function playAlone(place: string) {
  const tape = await openTape(place);
  const naive = new NaiveTape();
  const judge = new Invariants();
  let left = 0;
  let exchange: Awaited<ReturnType<typeof openTapeExchange>> | null = null;
  let player: TapePlayer | null = null;
  const judged = (): void => {
    for (const stored of exchange?.journal.slice(judge.ledger.seq) ?? []) {
      const { decisionEvents, event } = decodeEvent(stored);
      left = (decisionEvents ?? left) - 1;
      judge.apply(event, stored.seq);
      if (left === 0) judge.endOfDecision();
    }
  };
  for await (const moment of momentsOf(tape)) {
    const atMs = moment[0]?.atMs ?? 0;
    if (exchange === null || player === null) {
      exchange = await openTapeExchange(atMs);
      player = new TapePlayer(exchange, tape.summary);
      await player.start();
    }
    await exchange.moveTo(atMs);
    for (const event of moment) {
      await player.playMoment([event]);
      judged();
      naive.apply(event);
      if (event.kind === 'news') continue;
      const phase = exchange.state().markets.get(event.market)?.phase;
      const wanted = phase === 'active' ? naive.book(event.market) : ['', ''];
      expect(bookOf(exchange.state(), event.market)).to.deep.equal(wanted, JSON.stringify(event));
    }
  }
  judge.recount();
  await exchange?.end();
  return { exchange, naive, tape };
}

describe('a tape that is played without participants', function () {
  this.timeout(600_000);

  it('shows the fold of its events after each of them, and settles', async () => {
    const { exchange, tape } = await playAlone(MADE_NEWS);
    expect(exchange?.journal.filter(({ type }) => type === 'SignalRecorded')).to.have.length(4);
    expect(exchange?.journal.at(-1)?.type).to.equal('MarketSettled');
    expect(tape.summary.events).to.be.greaterThan(1_000);
  });

  if (windows.length === 0) it('plays recorded windows of gold where their folder is GOLD_DIR');
  for (const window of windows) {
    it(`shows the fold of its events after each of them: ${window}`, async () => {
      await playAlone(path.join(WINDOWS, window));
    });
  }
});
