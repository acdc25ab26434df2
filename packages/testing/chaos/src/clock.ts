import { setTimeout as wait } from 'node:timers/promises';
import { databaseClock } from '@paper/runtime';
import { eventually } from '@paper/testkit';
import type { Random } from '@paper/testkit';
import { inTime } from '@paper/timing';
import type { FakeClocks } from './fake-clocks.ts';
import { GivenUp } from './findings.ts';
import { connectionStringOf, recover, sendsPulse } from './chaos-run.ts';
import type { ChaosRun } from './chaos-run.ts';

/** The largest difference between clocks at which the service still decides. */
const TRUSTED_MS = 60_000;
const STEP_S = { hours: [3_600, 7_200], seconds: [20] } as const;
/** The longest time between two reads of one clock, on a busy machine. */
const SAME_S = 10;
/** The longest time until a change of a clock takes effect. */
const EFFECT_WITHIN_MS = 60_000;

interface ClockFault {
  readonly of: 'the machine' | 'the process alone';
  readonly by: keyof typeof STEP_S;
  readonly and: 'kill −9 of the process' | 'nothing else' | 'put right';
}

const STEPS: readonly Omit<ClockFault, 'of'>[] = [
  { by: 'hours', and: 'kill −9 of the process' },
  { by: 'hours', and: 'nothing else' },
  { by: 'hours', and: 'put right' },
  { by: 'seconds', and: 'nothing else' },
  { by: 'seconds', and: 'kill −9 of the process' },
];
const FAULTS: readonly ClockFault[] = STEPS.flatMap((step) => [
  { of: 'the machine', ...step },
  { of: 'the process alone', ...step },
]);

/**
 * Changes clocks while the service runs: each fault of the table once before any is repeated. If the machine's clock
 * takes a large step, Postgres's clock does too, and the service decides nothing until the clock was steady for a
 * while, or the process is restarted. If only the process's clock is wrong by much, it differs from Postgres's: the
 * process decides nothing, reports why, and serves all reads, until the clock is right. Small steps do no harm. No event
 * may have a time that the machine's clock has never shown, and times never decrease in the journal.
 */
export async function playClock(run: ChaosRun, clocks: FakeClocks, times: number): Promise<void> {
  const { log, standalone } = run;
  const { env } = standalone;
  const random = run.randomOf('clock');
  const trial = new ClockTrial(run, clocks, random);
  await standalone.stop();
  await standalone.start({ env: { ...env, ...clocks.env } });
  let due: ClockFault[] = [];
  for (let time = 1; time <= times; time += 1) {
    if (due.length === 0) due = [...FAULTS];
    const fault = random.pick(due);
    due = due.filter((other) => other !== fault);
    await trial.play(fault, (line) => log(`${line}, ${time} of ${times}`));
  }
  await standalone.stop();
  clocks.set({ machineS: 0, processS: 0 });
  await standalone.start({ env });
}

class ClockTrial {
  #machineS = 0;
  /** The latest time that the machine's clock has shown. */
  #latestMs = Date.now();

  constructor(
    private readonly run: ChaosRun,
    private readonly clocks: FakeClocks,
    private readonly random: Random,
  ) {}

  async play({ of, by, and }: ClockFault, log: (line: string) => void): Promise<void> {
    const stepS = this.random.pick(STEP_S[by]) * this.#direction();
    const what = nameOf({ of, by, and }, stepS);
    log(`${what} (${Math.abs(stepS)} s)`);
    const formerS = this.#machineS;
    await this.#set(of === 'the machine' ? formerS + stepS : formerS, formerS + stepS);
    let sinceMs = performance.now();
    if (and === 'kill −9 of the process') {
      await wait(this.random.int(0, 1_000));
      sinceMs = performance.now();
      this.run.standalone.kill('the process', this.random, true);
    }
    const isDenied = isDeniedByPostgres({ of, by });
    if (isDenied) await this.#decidesNothing(and === 'put right' ? 'the wall clock jumped' : "the database's clock");
    if (isDenied || and === 'put right') {
      await this.#set(formerS, formerS);
      sinceMs = performance.now();
    }
    await recover(this.run, what, sinceMs);
    this.#noteLatest();
    this.run.judge.checkTime(this.#latestMs + TRUSTED_MS);
    if (this.run.findings.all.length > 0) throw new GivenUp(`after ${what}`);
    if (of === 'the process alone' && !isDenied) await this.#set(formerS, formerS);
  }

  /** The direction of a step, chosen so that a clock is never further from the true time than the largest step. */
  #direction(): 1 | -1 {
    if (this.#machineS === 0) return this.random.pick([1, -1]);
    return this.#machineS > 0 ? -1 : 1;
  }

  async #set(machineS: number, processS: number): Promise<void> {
    const { addresses, standalone } = this.run;
    this.#noteLatest();
    this.clocks.set({ machineS, processS });
    this.#machineS = machineS;
    this.#noteLatest();
    const shows = async (offsetS: number, now: Promise<number>): Promise<boolean> =>
      Math.abs((await now) - Date.now() - offsetS * 1_000) < SAME_S * 1_000;
    await this.#until('its clocks show what they were set to', async () => {
      if (!(await shows(machineS, databaseClock(connectionStringOf(standalone.dataDir))))) return false;
      return shows(processS, clockOfService(addresses.baseUrl));
    });
  }

  #noteLatest(): void {
    this.#latestMs = Math.max(this.#latestMs, Date.now() + this.#machineS * 1_000);
  }

  /** Expects the reason in readiness, a 503 for every command, and working reads. */
  async #decidesNothing(because: string): Promise<void> {
    const { addresses, findings, load } = this.run;
    await this.#until(`its readiness gives the reason "${because}"`, async () => {
      const ready = await fetch(new URL('/health/ready', addresses.metricsUrl));
      return ready.status === 503 && (await ready.text()).includes(because);
    });
    const sinceMs = performance.now();
    await this.#until('while its clock is wrong, every command is answered 503', () => load.refusedSince(sinceMs));
    await this.#until('while its clock is wrong, everything can be read', async () => {
      await load.look();
      for (const path of ['/api/markets', '/api/leaderboard', '/api/activity']) {
        const { status } = await fetch(addresses.baseUrl + path);
        if (status !== 200) throw new Error(`GET ${path} is answered ${status}`);
      }
      return sendsPulse(addresses.baseUrl);
    });
    if (load.acknowledgedSince(sinceMs)) {
      findings.add('neverRight', 'a command was acknowledged by a process whose clock is wrong');
    }
  }

  /** Repeats the check until it succeeds; a rejection counts as not yet, and a finding ends the run. */
  async #until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    const { findings } = this.run;
    const check = async (): Promise<boolean> => {
      if (findings.all.length > 0) throw new GivenUp(what);
      return inTime(Promise.resolve().then(holds), EFFECT_WITHIN_MS, () => false);
    };
    const isNotYet = (error: unknown): boolean => !(error instanceof GivenUp);
    await eventually(what, check, { withinMs: EFFECT_WITHIN_MS, everyMs: 100, isNotYet });
  }
}

/** Whether Postgres, which has the machine's clock, contradicts the process's clock. */
function isDeniedByPostgres({ of, by }: Pick<ClockFault, 'of' | 'by'>): boolean {
  return of === 'the process alone' && by === 'hours';
}

function nameOf(fault: ClockFault, stepS: number): string {
  const { of, by, and } = fault;
  const set = `clock of ${of} set ${stepS < 0 ? 'back' : 'forward'} by ${by}`;
  const then = and === 'nothing else' ? '' : `, and ${and}`;
  return `${set}${then}${isDeniedByPostgres(fault) && and !== 'put right' ? ', and put right later' : ''}`;
}

async function clockOfService(baseUrl: string): Promise<number> {
  const { headers } = await fetch(`${baseUrl}/api/health`);
  return Date.parse(headers.get('date') ?? '');
}
