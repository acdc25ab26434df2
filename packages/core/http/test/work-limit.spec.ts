import { RateLimited, Unavailable } from '@paper/contracts';
import { FakeClock, turn } from '@paper/testkit';
import { expect } from 'chai';
import { COMMANDS_MIN, WorkLimit } from '../src/work-limit.ts';
import type { Work } from '../src/work-limit.ts';

describe('the limit of work', () => {
  let clock: FakeClock;
  let limit: WorkLimit;
  /** The work that has begun, in its order. */
  let begun: string[];
  const open = (commandsAtFirst: number): void => {
    clock = new FakeClock();
    limit = new WorkLimit({ clock, commandsAtFirst });
    begun = [];
  };
  /** Requests work of an account, by default its fleet's primary, noting when it begins. */
  const request = (fleet: string, commands: number, name = fleet, account = fleet): Work => {
    const work = limit.request({ account, fleet }, commands);
    void (async () => {
      await work.begin();
      begun.push(name);
    })().catch((error: unknown) => begun.push(`${name}: ${String(error)}`));
    return work;
  };
  const settled = async (): Promise<readonly string[]> => {
    await turn();
    return begun.splice(0);
  };

  it('lets what is more than can be answered wait, and begin when there is room', async () => {
    open(200);
    const first = request('ann', 150);
    const second = request('ann', 50, 'second');
    request('ann', 1, 'third');
    expect(await settled()).to.deep.equal(['ann', 'second']);
    second.end();
    expect(await settled()).to.deep.equal(['third']);
    first.end();
  });

  it('lets a single command of a fleet with nothing under way pass, until there is twice as much', async () => {
    open(100);
    request('ann', 100);
    request('ann', 1, 'of the same fleet');
    request('bob', 1);
    request('bob', 1, 'another of bob');
    request('cy', 2);
    expect(await settled()).to.deep.equal(['ann', 'bob']);
    for (let n = 2; n <= 100; n += 1) request(`dan ${n}`, 1);
    expect(await settled()).to.have.lengthOf(99);
    request('eve', 1);
    expect(await settled()).to.deep.equal([]);
  });

  it('lets no single command pass whose fleet has another under way, of whichever of its accounts', async () => {
    open(100);
    request('ann', 100);
    request('ann', 1, 'of a sub-account', 'ann-2');
    expect(await settled()).to.deep.equal(['ann']);
  });

  it('lets as many single commands begin as commands of batches, where both wait', async () => {
    open(3);
    const works = [request('ann', 6)];
    for (const name of ['a', 'b', 'c']) works.push(request('ann', 3, name));
    for (let n = 1; n <= 5; n += 1) works.push(request('bob', 1, String(n)));
    await settled();
    // Each that begins is answered, until none is left.
    const order: string[] = [];
    works[0]?.end();
    for (let names = await settled(); names.length > 0; names = await settled()) {
      order.push(...names);
      for (const name of names) works['abc'.includes(name) ? 1 + 'abc'.indexOf(name) : 3 + Number(name)]?.end();
    }
    expect(order).to.deep.equal(['1', 'a', '2', '3', '4', 'b', '5', 'c']);
  });

  it('counts the commands that wait, until they begin or give up', async () => {
    open(100);
    const first = request('ann', 200);
    request('ann', 50);
    request('bob', 1);
    await settled();
    expect(limit.commandsWaiting).to.equal(51);
    first.end();
    await settled();
    expect(limit.commandsWaiting).to.equal(0);
    request('ann', 100);
    request('ann', 50);
    await settled();
    expect(limit.commandsWaiting).to.be.above(0);
    clock.advance(5_000);
    await settled();
    expect(limit.commandsWaiting).to.equal(0);
  });

  it('leaves out work whose client has gone while it waited', async () => {
    open(100);
    const first = request('ann', 100);
    request('ann', 1, 'waits');
    const gone = request('ann', 100, 'gone');
    request('ann', 99, 'after it');
    await settled();
    gone.end();
    first.end();
    expect(await settled()).to.deep.equal(['waits', 'after it']);
  });

  it('counts no work whose client has gone as begun, where single commands and batches wait', async () => {
    open(3);
    const first = request('ann', 6);
    const gone = request('ann', 3, 'gone');
    request('ann', 3, 'batch');
    for (const name of ['1', '2', '3']) request('bob', 1, name);
    await settled();
    gone.end();
    first.end();
    expect(await settled()).to.deep.equal(['1', 'batch']);
  });

  it('gives the fleets turns', async () => {
    open(100);
    const first = request('ann', 200);
    for (const name of ['a1', 'a2', 'a3']) request('ann', 60, name);
    for (const name of ['b1', 'b2']) request('bob', 60, name);
    expect(await settled()).to.deep.equal(['ann']);
    first.end();
    expect(await settled()).to.deep.equal(['a1', 'b1']);
  });

  it('counts the commands that a request turns out to have', async () => {
    open(200);
    const work = request('ann', 200);
    request('ann', 1, 'next');
    expect(await settled()).to.deep.equal(['ann']);
    work.resize(2);
    request('ann', 1, 'later');
    expect(await settled()).to.deep.equal(['later']);
    work.end();
    work.end();
    expect(await settled()).to.deep.equal(['next']);
  });

  it('refuses after 5 s what still waits, which then never begins', async () => {
    open(200);
    const first = request('ann', 400);
    request('ann', 1, 'second');
    clock.advance(4_999);
    expect(await settled()).to.deep.equal(['ann']);
    clock.advance(1);
    expect(await settled()).to.deep.equal([
      `second: ${String(new Unavailable('too many commands are waiting; try again'))}`,
    ]);
    first.end();
    expect(await settled()).to.deep.equal([]);
  });

  it('refuses an account of which 64 requests wait', async () => {
    open(200);
    const first = request('ann', 400);
    for (let n = 0; n < 65; n += 1) request('ann', 1, String(n));
    request('bob', 1);
    const refusal = String(new RateLimited("too many of this account's commands are waiting"));
    expect(await settled()).to.deep.equal(['ann', `64: ${refusal}`]);
    first.end();
    expect(await settled()).to.have.lengthOf(65);
  });

  it('refuses an account of which 64 single commands and batches wait, and takes it again once they gave up', async () => {
    open(200);
    request('ann', 400);
    for (let n = 0; n < 32; n += 1) for (const commands of [1, 2]) request('ann', commands);
    request('ann', 2, 'too many');
    request('ann', 2, 'of another account', 'ann-2');
    const refusal = String(new RateLimited("too many of this account's commands are waiting"));
    expect(await settled()).to.deep.equal(['ann', `too many: ${refusal}`]);
    clock.advance(5_000);
    expect(await settled()).to.have.lengthOf(65);
    for (const commands of [1, 2]) request('ann', commands, 'later');
    expect(await settled()).to.deep.equal([]);
  });

  describe('follows the answers:', () => {
    /** Work that takes this long, with other work waiting or not. */
    const pass = async (tookMs: number, isWaiting = false): Promise<void> => {
      const work = request('ann', 10_000);
      const next = isWaiting ? request('ann', 1) : null;
      clock.advance(tookMs);
      work.end();
      await turn();
      next?.end();
    };

    it('it shrinks in proportion where they take longer than 75 ms, to 64 at the least', async () => {
      open(1_000);
      await pass(150);
      expect(limit.commands).to.equal(500);
      await pass(10_000);
      expect(limit.commands).to.equal(COMMANDS_MIN);
    });

    it('it grows where work waits and the answers take less than half of that, once in 100 ms', async () => {
      open(1_000);
      for (let n = 0; n < 4; n += 1) await pass(37, true);
      expect(limit.commands).to.equal(1_100);
      await pass(37, true);
      expect(limit.commands).to.equal(1_100);
    });

    it('it stays where the answers take longer than that, or nothing waits', async () => {
      open(1_000);
      for (let n = 0; n < 4; n += 1) await pass(38, true);
      expect(limit.commands).to.equal(1_000);
      open(1_000);
      for (let n = 0; n < 6; n += 1) await pass(37);
      expect(limit.commands).to.equal(1_000);
    });
  });
});
