import { Unavailable } from '@paper/contracts';
import { MINUTE_MS } from '@paper/contracts/units';
import { expect } from 'chai';
import type { ReadModels } from '@paper/read-models';
import type { Logger } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import { Board } from '../src/board.ts';
import type { BoardContent } from '../src/board.ts';

/** Read models of which a board uses only the sequence. */
function boardHarness() {
  const state = { seq: 1, now: 10 * MINUTE_MS + 1234, lost: null as Error | null, looked: 0, made: [] as string[] };
  const readModels = {
    read: (query: (view: { seq: number }) => Promise<unknown>) => {
      state.looked += 1;
      return state.lost === null ? query({ seq: state.seq }) : Promise.reject(state.lost);
    },
  } as unknown as ReadModels;
  const make = (minute: number): Promise<BoardContent<string>> => {
    const value = `${state.seq} at ${minute / MINUTE_MS}`;
    state.made.push(value);
    return Promise.resolve({ seq: state.seq, value });
  };
  const logged: string[] = [];
  const note = (level: string) => (_fields: object, message: string) => void logged.push(`${level}: ${message}`);
  const logger = { info: note('info'), warn: note('warn') } as unknown as Logger;
  return { state, logged, settings: { name: 'test', readModels, now: () => state.now, logger, make } };
}

describe('a board', function () {
  this.timeout(60_000);
  let board: Board<string> | null = null;
  afterEach(() => board?.stop());

  it('waits for the first computation, and does not repeat it without a change', async () => {
    const { state, settings } = boardHarness();
    board = new Board(settings);
    const asked = board.current();
    board.start();
    expect(await asked).to.deep.equal({ seq: 1, value: '1 at 10' });
    await eventually('three looks', () => state.looked >= 3);
    expect(state.made).to.deep.equal(['1 at 10']);
  });

  it('is made anew when the projection went on, or back, and when a minute begins', async () => {
    const { state, settings } = boardHarness();
    board = new Board(settings);
    board.start();
    await board.current();
    state.seq = 7;
    await eventually('two made', () => state.made.length === 2);
    state.seq = 5;
    await eventually('three made', () => state.made.length === 3);
    state.now += MINUTE_MS;
    await eventually('four made', () => state.made.length === 4);
    expect(state.made).to.deep.equal(['1 at 10', '7 at 10', '5 at 10', '5 at 11']);
    expect(await board.current()).to.deep.equal({ seq: 5, value: '5 at 11' });
  });

  it('warns of what it cannot make, but not while it waits for read models that are filled for the first time', async () => {
    const { state, logged, settings } = boardHarness();
    state.lost = new Unavailable('the read models are not filled yet');
    board = new Board(settings);
    board.start();
    await eventually('three looks', () => state.looked >= 3);
    expect(logged).to.deep.equal(['info: the test wait for the read models']);
    state.lost = null;
    await eventually('one made', () => state.made.length === 1);
    state.lost = new Unavailable('the database does not answer');
    await eventually('the log', () => logged.length === 2);
    expect(logged[1]).to.equal('warn: the test could not be recomputed; the former answer is shown');
  });

  it('goes on showing what it has while the database is away, and is made anew when that is back', async () => {
    const { state, settings } = boardHarness();
    board = new Board(settings);
    board.start();
    await board.current();
    state.lost = new Error('no database');
    state.seq = 2;
    const looked = state.looked;
    await eventually('two more looks', () => state.looked >= looked + 2);
    expect(await board.current()).to.deep.equal({ seq: 1, value: '1 at 10' });
    state.lost = null;
    await eventually('two made', () => state.made.length === 2);
    expect(await board.current()).to.deep.equal({ seq: 2, value: '2 at 10' });
  });

  it('is unavailable where there never was a database', async () => {
    const { state, settings } = boardHarness();
    state.lost = new Error('no database');
    board = new Board(settings);
    board.start();
    expect(await Promise.resolve(board.current()).catch((error: unknown) => error)).to.be.instanceOf(Unavailable);
  });

  it('aborts the computation under way when it stops, and does not log that as a failure', async () => {
    const { settings } = boardHarness();
    const asked: AbortSignal[] = [];
    board = new Board({
      ...settings,
      make: (_minute, signal) =>
        new Promise((_resolve, reject) => {
          asked.push(signal);
          signal.addEventListener('abort', () => reject(new Error('ended')));
        }),
    });
    board.start();
    await eventually('a question', () => asked.length === 1);
    await board.stop();
    expect(asked.map(({ aborted }) => aborted)).to.deep.equal([true]);
  });
});
