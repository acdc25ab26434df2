import type { ProjectorState } from '@paper/projector';
import { Progress } from '@paper/read-models';
import { createLogger, StartRefused } from '@paper/runtime';
import { expect } from 'chai';
import { waitUntilCaughtUp } from '../src/caught-up.ts';

const TARGET = 7;

/** Waits for a projector that advances by `steps` at each read of its status; gives the log. */
async function wait(steps: readonly number[], state: ProjectorState = 'running', stopAfter = Infinity) {
  const logged: string[] = [];
  const shown: string[] = [];
  const logger = createLogger({ name: 'test', level: 'info' }, { write: (line: string) => void logged.push(line) });
  const progress = new Progress();
  let asked = 0;
  const status = () => {
    const seq = steps[asked] ?? TARGET;
    asked += 1;
    progress.set(seq);
    const checkpoint = { seq, hash: 'h', atMs: 0 };
    const fill = state === 'filling' ? { seq, target: TARGET, leftMs: 1_000 * (TARGET - seq) } : null;
    return { name: 'main', state, schema: 's', checkpoint, error: 'no such event', fill } as const;
  };
  const journal = { head: () => Promise.resolve({ seq: TARGET, hash: 'h', at: 0 }) };
  const show = (text: string): void => void shown.push(text);
  const error = await waitUntilCaughtUp(journal, { progress, status }, logger, () => asked >= stopAfter, show, 1).then(
    () => null,
    (reason: unknown) => reason,
  );
  const seqs = logged.map((line) => (JSON.parse(line) as { seq: number; target: number }).seq);
  return { error, seqs, shown };
}

describe('waiting for read models that are refilled', () => {
  it('ends when they are where the journal was, and says how far they are', async () => {
    expect(await wait([2, 4])).to.deep.equal({ error: null, seqs: [2, 4, 7], shown: [] });
  });

  it('shows how far a fill is: the line of a start said "Reading the journal" for 91 s', async () => {
    const { shown } = await wait([2, 4], 'filling');
    expect(shown).to.deep.equal([
      '2 of 7 events, about 5 s left',
      '4 of 7 events, about 3 s left',
      'all 7 events are read, indexes are made',
    ]);
  });

  it('ends with the projector', async () => {
    const { error } = await wait([2], 'failed');
    expect(error)
      .to.be.instanceOf(StartRefused)
      .with.property('message', 'the read models cannot be filled: no such event');
  });

  it('ends when the service is stopped', async () => {
    expect(await wait([2, 2, 2, 2], 'running', 2)).to.deep.equal({ error: null, seqs: [2, 2], shown: [] });
  });
});
