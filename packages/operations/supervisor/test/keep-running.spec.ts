import { expect } from 'chai';
import { superviseProcess } from '../src/keep-running.ts';
import type { ProcessEvent } from '../src/keep-running.ts';

/** A process that ends when the test says so. */
class Candle {
  readonly ended: Promise<string>;
  private end: (how: string) => void = () => undefined;
  stops = 0;
  constructor(readonly name: string) {
    this.ended = new Promise((resolve) => (this.end = resolve));
  }
  goOut(how = 'ended with code 1'): void {
    this.end(how);
  }
  async stop(): Promise<void> {
    this.stops += 1;
    this.end('was ended by SIGTERM');
  }
}

describe('keeping something running', () => {
  let lit: Candle[];
  let events: ProcessEvent[];
  let pauses: number[];
  let nowMs: number;
  let refused: number;
  let changed: () => void;

  beforeEach(() => {
    lit = [];
    events = [];
    pauses = [];
    nowMs = 0;
    refused = 0;
    changed = () => undefined;
  });

  const light = async (): Promise<Candle> => {
    if (refused > 0) {
      refused -= 1;
      throw new Error('no match');
    }
    const candle = new Candle(`candle ${lit.length + 1}`);
    lit.push(candle);
    return candle;
  };
  const onEvent = (event: ProcessEvent): void => {
    events.push(event);
    changed();
  };
  const keep = (
    pause: (ms: number, options: { readonly signal: AbortSignal }) => Promise<void> = async (ms) =>
      void pauses.push(ms),
  ) => superviseProcess({ start: light, restart: light, onEvent, pause, now: () => nowMs });
  /** Waits for the start with this number. */
  const number = async (wanted: number): Promise<Candle> => {
    const restarts = (): number => events.filter(({ kind }) => kind === 'restarted').length;
    while (restarts() < wanted - 1) await new Promise<void>((resolve) => (changed = resolve));
    return lit[wanted - 1]!;
  };

  it('starts again what has ended, and says how it ended', async () => {
    const supervised = await keep();
    supervised.first.goOut('was ended by SIGKILL');
    await number(2);
    await supervised.stop();
    expect(events).to.deep.equal([
      { kind: 'ended', how: 'was ended by SIGKILL', restartMs: 250 },
      { kind: 'restarted' },
    ]);
  });

  it('waits twice as long each time, ten seconds at most, until it has stayed for half a minute', async () => {
    const supervised = await keep();
    for (let round = 1; round <= 8; round += 1) (await number(round)).goOut();
    const steady = await number(9);
    nowMs += 30_000;
    steady.goOut();
    await number(10);
    await supervised.stop();
    expect(pauses).to.deep.equal([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 250]);
  });

  it('goes on trying where a start fails', async () => {
    const supervised = await keep();
    refused = 2;
    supervised.first.goOut();
    await number(2);
    await supervised.stop();
    expect(events.map(({ kind }) => kind)).to.deep.equal(['ended', 'failed', 'failed', 'restarted']);
  });

  it('is restarted on demand: at once, and not as one that failed', async () => {
    const supervised = await keep();
    await supervised.restart();
    expect(supervised.first.stops).to.equal(1);
    expect(supervised.status()).to.include({ restarts: 1, running: lit[1] });
    expect(pauses).to.deep.equal([]);
    await supervised.stop();
    expect(await supervised.restart().catch(String)).to.equal('Error: it is stopped');
  });

  it('is restarted on demand out of its pause, and says where that start fails', async () => {
    const supervised = await keep(
      (_ms, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    );
    supervised.first.goOut();
    while (supervised.status().running !== null) await supervised.first.ended;
    refused = 1;
    expect(await supervised.restart().catch(String)).to.equal('Error: no match');
    await supervised.restart();
    expect(supervised.status()).to.include({ restarts: 1, running: lit[1] });
    await supervised.stop();
  });

  it('leaves stopped what was stopped', async () => {
    const supervised = await keep();
    await supervised.stop();
    expect(supervised.first.stops).to.equal(1);
    expect(lit).to.have.length(1);
    expect(events).to.deep.equal([]);
  });

  it('does not wait for the pause when it is stopped in it', async () => {
    const supervised = await keep(
      (_ms, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    );
    supervised.first.goOut();
    await supervised.first.ended;
    await supervised.stop();
    expect(lit).to.have.length(1);
  });

  it('has not begun where the first start fails', async () => {
    refused = 1;
    let error: unknown;
    await keep().catch((thrown: unknown) => (error = thrown));
    expect(error).to.be.an('error').with.property('message', 'no match');
  });
});
