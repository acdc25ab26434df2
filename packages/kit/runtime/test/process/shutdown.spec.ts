import { expect } from 'chai';
import { createLogger } from '../../src/index.ts';
import { runUntilSignal } from '../../src/process/shutdown.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

/** A process whose signals are sent by hand; `exited` resolves with the first code. */
function fakeHost(stop: () => Promise<void>, stopMs = 10_000) {
  const listeners = new Map<string, () => void>();
  const clock = { ms: 0 };
  const codes: number[] = [];
  let exit: (code: number) => void = () => undefined;
  const exited = new Promise<number>((resolve) => (exit = resolve));
  runUntilSignal(stop, {
    logger,
    stopMs,
    now: () => clock.ms,
    host: {
      on: (signal, listener) => listeners.set(signal, listener),
      exit: (code) => {
        codes.push(code);
        exit(code);
      },
    },
  });
  return { send: (signal: string) => listeners.get(signal)?.(), clock, codes, exited };
}

describe('a signal', () => {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    it(`${signal} stops once, code 0`, async () => {
      let stops = 0;
      const host = fakeHost(async () => {
        stops++;
      });
      host.send(signal);
      host.send(signal);
      expect(await host.exited).to.equal(0);
      expect(stops).to.equal(1);
      expect(host.codes).to.deep.equal([0]);
    });
  }

  it('a stop that fails ends with code 1', async () => {
    const host = fakeHost(() => Promise.reject(new Error('disk')));
    host.send('SIGTERM');
    expect(await host.exited).to.equal(1);
  });

  it('a stop that takes too long ends with code 1', async () => {
    const host = fakeHost(() => new Promise(() => undefined), 5);
    host.send('SIGTERM');
    expect(await host.exited).to.equal(1);
  });

  it('the same Ctrl-C coming twice is one; a later one forces', () => {
    const host = fakeHost(() => new Promise(() => undefined), 20);
    host.send('SIGINT');
    host.clock.ms = 100;
    host.send('SIGINT');
    expect(host.codes).to.deep.equal([]);
    host.clock.ms = 600;
    host.send('SIGINT');
    expect(host.codes).to.deep.equal([130]);
  });
});
