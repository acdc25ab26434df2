import { fromFirstEvent } from '@paper/command-side';
import { turn } from '@paper/testkit';
import { expect } from 'chai';
import { afterFill } from '../src/start-point.ts';

/** Tells whether a fold from the snapshot of `seq` has begun before the read models are filled, and after. */
async function begins({ events, seq }: { readonly events: number; readonly seq: number }) {
  const begun = { before: false, after: false };
  let fill: () => void = () => undefined;
  const filled = new Promise<void>((resolve) => (fill = resolve));
  const begin = async () => ({ ...(await fromFirstEvent()), head: { hash: 'h', seq } });
  const journal = { head: () => Promise.resolve({ hash: 'h', seq: events }) };
  const beginning = afterFill(begin, journal, filled)().then(({ head }) => {
    expect(head.seq).to.equal(seq);
    begun.after = true;
  });
  for (let turns = 0; turns < 5; turns += 1) await turn();
  begun.before = begun.after;
  fill();
  await beginning;
  return begun;
}

describe('the start of the fold beside a fill of empty read models', () => {
  it('waits for the fill where a long journal has no snapshot: both at once took 790 MB', async () => {
    expect(await begins({ events: 1_000_000, seq: 0 })).to.deep.equal({ before: false, after: true });
  });

  it('waits for no fill with a snapshot, nor of a short journal', async () => {
    expect(await begins({ events: 1_000_000, seq: 990_000 })).to.deep.equal({ before: true, after: true });
    expect(await begins({ events: 2_000, seq: 0 })).to.deep.equal({ before: true, after: true });
  });
});
