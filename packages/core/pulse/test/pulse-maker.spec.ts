import { setImmediate } from 'node:timers/promises';
import { FakeClock } from '@paper/testkit';
import { expect } from 'chai';
import { createInProcessPulse, createPulseMaker } from '../src/index.ts';
import type { PulseMessage } from '../src/index.ts';
import { message } from './messages.ts';

describe('the maker of pulses', () => {
  const onError = (error: unknown): void => expect.fail(String(error));
  const listen = (channel = createInProcessPulse()) => {
    const heard: { readonly atMs: number; readonly seq: number }[] = [];
    const clock = new FakeClock();
    channel.subscribe(({ seq }) => heard.push({ atMs: clock.monotonic(), seq }));
    return { channel, clock, heard };
  };
  /** Advances the clock and lets pending promises settle. */
  const pass = async (clock: { advance: (ms: number) => void }, ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 500) {
      clock.advance(Math.min(500, left));
      await setImmediate();
    }
  };

  it('publishes a picture at once and then every 2 seconds', async () => {
    const { channel, clock, heard } = listen();
    let seq = 0;
    const snapshots = { mostActive: async () => message((seq += 1)) };
    const maker = createPulseMaker({ channel, clock, onError, snapshots });
    maker.start();
    await setImmediate();
    await pass(clock, 4_500);
    expect(heard).to.deep.equal([
      { atMs: 0, seq: 1 },
      { atMs: 2_000, seq: 2 },
      { atMs: 4_000, seq: 3 },
    ]);
    await maker.stop();
    await pass(clock, 10_000);
    expect(heard).to.have.length(3);
  });

  it('goes on when a picture cannot be taken or published, and says so', async () => {
    const { channel, clock, heard } = listen();
    const errors: unknown[] = [];
    let seq = 0;
    const snapshots = {
      async mostActive() {
        seq += 1;
        if (seq === 1) throw new Error('no database');
        return message(seq);
      },
    };
    const flaky = {
      ...channel,
      publish: (one: PulseMessage) => (one.seq === 2 ? Promise.reject(new Error('no Redis')) : channel.publish(one)),
    };
    const maker = createPulseMaker({ channel: flaky, clock, onError: (error) => errors.push(error), snapshots });
    maker.start();
    await pass(clock, 4_500);
    expect(errors.map(String)).to.deep.equal(['Error: no database', 'Error: no Redis']);
    expect(heard).to.deep.equal([{ atMs: 4_000, seq: 3 }]);
    await maker.stop();
  });

  it('never takes two pictures at once, and stops when the last one is out', async () => {
    const { channel, clock, heard } = listen();
    let release: (message: PulseMessage) => void = () => undefined;
    let taken = 0;
    const snapshots = {
      mostActive() {
        taken += 1;
        return new Promise<PulseMessage>((resolve) => (release = resolve));
      },
    };
    const maker = createPulseMaker({ channel, clock, onError, snapshots });
    maker.start();
    await pass(clock, 7_000);
    expect(taken).to.equal(1);
    const stopped = maker.stop();
    release(message(1));
    await stopped;
    expect(heard.map(({ seq }) => seq)).to.deep.equal([1]);
  });
});
