import { FakeClock } from '@paper/testkit';
import { expect } from 'chai';
import { createLogger, createRetryLog } from '../src/index.ts';

interface Line {
  readonly msg: string;
  readonly failures?: number;
  readonly reason?: string;
  readonly err?: { readonly message: string; readonly stack: string };
}

/** A log with a clock of the test's own, and what it has written. */
const start = () => {
  const clock = new FakeClock();
  const lines: Line[] = [];
  const logger = createLogger(
    { level: 'warn', name: 'test' },
    { write: (text: string) => void lines.push(JSON.parse(text) as Line) },
  );
  return { clock, lines, log: createRetryLog(logger, clock.after) };
};

describe('a log of retries', () => {
  it('writes one line a minute while a server is away for seven: it was 5,500 lines, each with its stack', () => {
    const { clock, lines, log } = start();
    for (let tenths = 0; tenths < 4_200; tenths += 1) {
      log.failed('the database does not answer', new Error(`refused ${tenths}`));
      clock.advance(100);
    }
    log.works('the database does not answer');
    expect(lines.length).to.equal(9);
    expect(lines[0]).to.include({ msg: 'the database does not answer' });
    expect(lines[0]?.err?.stack).to.include('refused 0');
    for (const line of lines.slice(1, 8)) {
      expect(line.msg).to.equal('the database does not answer: still, in the last minute');
      expect(line.failures).to.be.within(599, 600);
      expect(line.reason).to.match(/^refused \d+$/);
      expect(line.err).to.equal(undefined);
    }
    expect(lines[8]).to.include({ failures: 4_200, msg: 'the database does not answer: works again' });
  });

  it('keeps kinds apart, and begins anew a minute after it worked', () => {
    const { clock, lines, log } = start();
    for (let n = 0; n < 3; n += 1) for (const kind of ['one', 'other']) log.failed(kind, new Error('away'));
    log.works('one');
    log.works('never failed');
    clock.advance(61_000);
    log.failed('one', new Error('away'));
    const msgs = lines.map(({ msg }) => msg);
    expect(msgs.filter((msg) => msg.startsWith('one'))).to.deep.equal(['one', 'one: works again', 'one']);
    expect(msgs).to.include('other: still, in the last minute');
  });

  it('writes one line a minute of work that fails and succeeds in turn: it was eight a second, each with its stack', () => {
    const { clock, lines, log } = start();
    for (let eighths = 0; eighths < 8 * 60 * 5; eighths += 1) {
      log.failed('interrupted', new Error('No space left on device'));
      clock.advance(100);
      log.works('interrupted');
      clock.advance(25);
    }
    clock.advance(120_000);
    expect(lines.map(({ msg }) => msg)).to.deep.equal([
      'interrupted',
      'interrupted: works again',
      ...Array.from({ length: 5 }, () => 'interrupted: still, in the last minute'),
      'interrupted: works again',
    ]);
    expect(lines.filter(({ err }) => err !== undefined)).to.have.length(1);
  });

  it('ends a kind that is never marked as working after a minute without failures', () => {
    const { clock, lines, log } = start();
    log.failed('a connection was lost', new Error('away'));
    clock.advance(59_000);
    expect(lines).to.have.length(1);
    clock.advance(2_000);
    expect(lines.at(-1)).to.include({ failures: 1, msg: 'a connection was lost: not for a minute now' });
    clock.advance(600_000);
    expect(lines).to.have.length(2);
  });
});
