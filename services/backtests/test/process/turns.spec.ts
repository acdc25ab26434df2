import { expect } from 'chai';
import { eventually } from '@paper/testkit';
import { Turns } from '../../src/process/turns.ts';

/** Participants over a clock whose moments are every whole 10 ms up to 100. */
function turnsOf(count: number, patienceMs = 60_000) {
  const said: string[] = [];
  let now = 0;
  let wakesAt = Infinity;
  const turns: Turns = new Turns({
    accountIds: Array.from({ length: count }, (_, index) => `a${index}`),
    now: () => now,
    onFailed: (error) => {
      throw error;
    },
    onLeftOut: (accountId) => Promise.resolve(void said.push(`${accountId} is left out`)),
    onWoken: () => undefined,
    onOver: () => void said.push('over'),
    patienceMs,
    playNext: (untilMs) => {
      if (now >= 100) return Promise.resolve(false);
      now = Math.min(untilMs, 10 * Math.floor(now / 10) + 10);
      said.push(`at ${now}`);
      return Promise.resolve(true);
    },
    settle: () => Promise.resolve(),
  });
  const say = (turn: number, text: string): void =>
    turns.serve(turn, () => Promise.resolve(void said.push(`a${turn} ${text}`)));
  const wait = (turn: number, untilMs: number): void =>
    turns.serve(turn, () => {
      turns.wait(turn, { isWoken: () => now >= wakesAt, onTurn: () => said.push(`a${turn} again`), untilMs });
      return Promise.resolve();
    });
  return { said, say, turns, wait, wakeAt: (ms: number) => (wakesAt = ms) };
}

describe('turns', () => {
  const until = (said: readonly string[], text: string): Promise<void> =>
    eventually(`"${text}"`, () => said.includes(text));

  it('go by number in a moment, whatever comes first, and each has its requests in their order', async () => {
    const { said, say, turns, wait } = turnsOf(3);
    say(2, 'reads');
    say(1, 'reads');
    turns.start();
    expect(said).to.deep.equal([]);
    say(0, 'reads');
    say(0, 'trades');
    wait(0, 10);
    wait(1, 10);
    await until(said, 'a2 reads');
    expect(said).to.deep.equal(['a0 reads', 'a0 trades', 'a1 reads', 'a2 reads']);
  });

  it('let the clock move when all wait, to the least of what they asked for', async () => {
    const { said, say, turns, wait } = turnsOf(2);
    turns.start();
    wait(0, 35);
    wait(1, 22);
    say(1, 'reads');
    await until(said, 'a1 reads');
    expect(said).to.deep.equal(['at 10', 'at 20', 'at 22', 'a1 again', 'a1 reads']);
    expect(turns.waitedFor).to.deep.equal(['a1']);
  });

  it('come back when something happens, and are over where nothing is left to play', async () => {
    const { said, turns, wait, wakeAt } = turnsOf(1);
    wakeAt(30);
    turns.start();
    wait(0, Infinity);
    await until(said, 'a0 again');
    expect(said).to.deep.equal(['at 10', 'at 20', 'at 30', 'a0 again']);
    wakeAt(Infinity);
    wait(0, Infinity);
    await until(said, 'over');
    expect(turns.isOver).to.equal(true);
    expect(said.filter((text) => text === 'a0 again')).to.have.length(2);
  });

  it('serve a delayed request at its time, before the others of its participant and after those before it', async () => {
    const { said, say, turns, wait } = turnsOf(2);
    turns.start();
    for (const turn of [0, 1]) {
      turns.serve(turn, () => {
        turns.serveAt(turn, 25, () => Promise.resolve(void said.push(`a${turn} trades`)));
        return Promise.resolve();
      });
      say(turn, 'reads');
    }
    wait(0, 100);
    await until(said, 'a1 reads');
    expect(said).to.deep.equal(['at 10', 'at 20', 'at 25', 'a0 trades', 'a0 reads', 'a1 trades', 'a1 reads']);
  });

  it('leave out who does not call, for good; the others go on', async () => {
    const { said, say, turns, wait } = turnsOf(2, 50);
    turns.start();
    say(1, 'reads');
    wait(1, 10);
    await until(said, 'over');
    expect(said.slice(0, 4)).to.deep.equal(['a0 is left out', 'a1 reads', 'at 10', 'a1 again']);
    expect(said).to.include('a1 is left out');
    expect([turns.isLeftOut(0), turns.isLeftOut(1)]).to.deep.equal([true, true]);
  });
});
