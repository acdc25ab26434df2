import type { Wake } from '../src/backtest-clock.ts';
import type { AdvanceClockInput, AdvancedClock } from '../src/generated/api.ts';
import { json } from './scripted-server.ts';
import type { ScriptedServer, Step } from './scripted-server.ts';

/** What happens at a time of a backtest. */
interface Moment {
  readonly atMs: number;
  readonly wakes?: readonly Wake[];
  readonly events?: AdvancedClock['events'];
}

/** A test advances less often: a client that asks more often asks without end. */
const ADVANCES_MAX = 100;

/** The clock of a backtest with one participant, which plays these moments; `other` answers all else. */
export class ScriptedBacktest {
  /** The bodies of the advances. */
  readonly advances: AdvanceClockInput[] = [];
  /** What the account had and no advance has given. */
  unread: AdvancedClock['events'][number][] = [];
  nowMs: number;
  readonly #moments: Moment[];

  constructor(startMs: number, moments: readonly Moment[]) {
    this.nowMs = startMs;
    this.#moments = [...moments];
  }

  /** Answers the requests to a server. */
  serve(server: ScriptedServer, other: Step = json(200, {})): void {
    const step: Step = (response, seen) => {
      server.script.push(step);
      const [request, path = ''] = [seen.request, seen.request.split('/backtest/b')[1]];
      if (this.advances.length >= ADVANCES_MAX) json(400, { error: 'too many advances' })(response, seen);
      else if (path.startsWith('/api/clock')) json(200, this.#answer(request, seen.body), this.time)(response, seen);
      else other(response, seen);
    };
    server.script = Array.from({ length: 8 }, () => step);
  }

  get time(): { readonly 'x-time': string } {
    return { 'x-time': new Date(this.nowMs).toISOString() };
  }

  get hasEnded(): boolean {
    return this.#moments.length === 0;
  }

  #answer(request: string, body: string): unknown {
    const clock = { now: this.time['x-time'], ended: this.hasEnded };
    if (request.startsWith('GET')) return { ...clock, waitingFor: [] };
    const input = JSON.parse(body) as AdvanceClockInput;
    this.advances.push(input);
    this.#play(input.until === undefined ? Infinity : Date.parse(input.until), input.wake ?? ['account']);
    const events = this.unread.splice(0);
    return { now: this.time['x-time'], ended: this.hasEnded, waiting: false, events, more: false };
  }

  #play(untilMs: number, wake: readonly Wake[]): void {
    while (this.nowMs < untilMs && !this.hasEnded) {
      const [next] = this.#moments;
      if (next === undefined || next.atMs > untilMs) {
        this.nowMs = untilMs;
        return;
      }
      this.#moments.shift();
      this.nowMs = next.atMs;
      this.unread.push(...(next.events ?? []));
      if (next.wakes?.some((one) => wake.includes(one)) === true) return;
    }
  }
}
