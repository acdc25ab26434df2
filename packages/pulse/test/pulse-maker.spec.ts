import { setImmediate } from 'node:timers/promises';
import { createFakeClock } from '@paper/testkit';
import { expect } from 'chai';
import { createInProcessPulse, createPulseMaker, every, type PulseMessage } from '../src/index.ts';
import { message } from './messages.ts';

describe('every so often', () => {
  it('works at once and then at whole intervals from the start, however late each was', () => {
    const clock = createFakeClock();
    const times: number[] = [];
    let lateMs = 0;
    const late = { ...clock, after: (ms: number, work: () => void) => clock.after(ms + (lateMs += 7), work) };
    const stop = every(2_000, () => times.push(clock.now()), late);
    clock.advance(10_500);
    expect(times).to.deep.equal([0, 2_007, 4_014, 6_021, 8_028, 10_035]);
    stop();
    clock.advance(10_000);
    expect(times).to.have.length(6);
    expect(clock.waiting()).to.equal(0);
  });

  it('does not work twice for one time when a timer is early', () => {
    const clock = createFakeClock();
    const times: number[] = [];
    const early = { ...clock, after: (ms: number, work: () => void) => clock.after(ms - 0.5, work) };
    every(2_000, () => times.push(clock.now()), early);
    clock.advance(6_000);
    expect(times).to.deep.equal([0, 1_999.5, 3_999.5, 5_999.5]);
  });

  it('leaves out times that passed while the process stood still', () => {
    const clock = createFakeClock();
    const times: number[] = [];
    let standsStillMs = 5_000;
    const stood = {
      ...clock,
      after(ms: number, work: () => void) {
        const cancel = clock.after(ms + standsStillMs, work);
        standsStillMs = 0;
        return cancel;
      },
    };
    every(2_000, () => times.push(clock.now()), stood);
    clock.advance(10_000);
    expect(times).to.deep.equal([0, 7_000, 8_000, 10_000]);
  });
});

describe('the maker of pulses', () => {
  const onError = (error: unknown): void => expect.fail(String(error));
  const listen = (channel = createInProcessPulse()) => {
    const heard: { readonly atMs: number; readonly seq: number }[] = [];
    const clock = createFakeClock();
    channel.subscribe(({ seq }) => heard.push({ atMs: clock.now(), seq }));
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
    const pictures = { mostActive: async () => message((seq += 1)) };
    const maker = createPulseMaker({ channel, clock, onError, pictures });
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
    const pictures = {
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
    const maker = createPulseMaker({ channel: flaky, clock, onError: (error) => errors.push(error), pictures });
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
    const pictures = {
      mostActive() {
        taken += 1;
        return new Promise<PulseMessage>((resolve) => (release = resolve));
      },
    };
    const maker = createPulseMaker({ channel, clock, onError, pictures });
    maker.start();
    await pass(clock, 7_000);
    expect(taken).to.equal(1);
    const stopped = maker.stop();
    release(message(1));
    await stopped;
    expect(heard.map(({ seq }) => seq)).to.deep.equal([1]);
  });
});
