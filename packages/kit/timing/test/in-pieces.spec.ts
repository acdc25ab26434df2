import { expect } from 'chai';
import { inPieces } from '@paper/timing';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('work in pieces', () => {
  it('does the first piece at once, and then the others in order', async () => {
    const done: number[] = [];
    const all = inPieces(numbers(200), (n) => void done.push(n));
    expect(done).to.deep.equal(numbers(25));
    await all;
    expect(done).to.deep.equal(numbers(200));
  });

  it('lets timers of others run between the pieces', async () => {
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    await inPieces(numbers(1_000), () => undefined);
    clearInterval(timer);
    expect(ticks).to.be.above(1);
  });

  it('has at most 10 pieces', async () => {
    const done: number[] = [];
    const all = inPieces(numbers(100_000), (n) => void done.push(n));
    expect(done).to.have.length(10_000);
    await all;
    expect(done).to.have.length(100_000);
  });

  it('does everything at once while it is hurried', async () => {
    const done: number[] = [];
    const work = (n: number): void => void done.push(n);
    const all = inPieces(numbers(1_000), work, () => true);
    expect(done).to.have.length(1_000);
    await all;
  });

  it('does nothing without items', async () => {
    await inPieces([], () => expect.fail());
  });
});
