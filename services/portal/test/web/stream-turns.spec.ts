import { FakeClock, turn } from '@paper/testkit';
import { expect } from 'chai';
import { StreamTurns } from '../../web/live/stream-turns.ts';
import type { Locks } from '../../web/live/stream-turns.ts';
import { FakeLocks } from './fake-locks.ts';

describe('the turns of tabs that stream', () => {
  let clock: FakeClock;
  let locks: FakeLocks;
  let streaming: Set<string>;

  beforeEach(() => {
    clock = new FakeClock();
    locks = new FakeLocks();
    streaming = new Set();
  });

  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 5; turns += 1) await turn();
  };
  const startTab = async (name: string, own: Locks | null = locks): Promise<StreamTurns> => {
    const turns = new StreamTurns({
      locks: own,
      timer: clock,
      onBegin: () => void streaming.add(name),
      onEnd: () => void streaming.delete(name),
    });
    turns.start();
    await settle();
    return turns;
  };
  /** The tabs that stream in each of the next turns. */
  const watch = async (count: number): Promise<readonly string[]> => {
    const seen: string[] = [];
    for (let turns = 0; turns < count; turns += 1) {
      clock.advance(2_000);
      await settle();
      seen.push([...streaming].sort().join(''));
    }
    return seen;
  };

  it('have no end for up to four tabs', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await startTab(name);
    expect(await watch(5)).to.deep.equal(Array.from({ length: 5 }, () => 'abcd'));
  });

  it('are of at most four of seven tabs at a time, and come to each of them', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await startTab(name);
    expect([...streaming].join('')).to.equal('abcd');
    const seen = await watch(4);
    for (const names of seen) expect(names).to.have.length(4);
    expect(new Set(seen.join(''))).to.deep.equal(new Set('abcdefg'));
  });

  it('go to a tab that waits when another one is closed or hidden', async () => {
    const tabs = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) tabs.push(await startTab(name));
    tabs[0]!.stop();
    await settle();
    expect([...streaming].sort().join('')).to.equal('bcde');
    expect(await watch(3)).to.deep.equal(['bcde', 'bcde', 'bcde']);
    for (const tab of tabs) tab.stop();
    await settle();
    expect([streaming.size, locks.held, clock.waiting]).to.deep.equal([0, [], 0]);
  });

  it('are not taken by a tab that stopped while it waited', async () => {
    const tabs = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) tabs.push(await startTab(name));
    tabs[4]!.stop();
    expect(await watch(3)).to.deep.equal(['abcd', 'abcd', 'abcd']);
  });

  it('begin again after a stop, at once', async () => {
    const tab = await startTab('a', null);
    tab.stop();
    expect(streaming.size).to.equal(0);
    tab.start();
    await settle();
    expect(await watch(1)).to.deep.equal(['a']);
  });

  it('are of every tab where the browser offers no locks, or refuses them', async () => {
    const refuse = () => Promise.reject(new DOMException('not here', 'SecurityError'));
    const refusing: Locks = { request: refuse, query: refuse };
    for (const name of ['a', 'b', 'c']) await startTab(name, null);
    for (const name of ['d', 'e', 'f']) await startTab(name, refusing);
    expect(await watch(2)).to.deep.equal(['abcdef', 'abcdef']);
  });
});
