import { setTimeout as sleep } from 'node:timers/promises';
import type { AlertFault } from './faults.ts';
import { inject } from './injections.ts';
import type { FaultTools, Heal } from './injections.ts';
import {
  toAlert,
  CAUSE_KNOWN,
  problemsOfCause,
  RESOLVES_WITHIN_MS,
  unexpectedAlerts,
  unexpectedNotices,
} from './verdict.ts';
import type { CauseOutcome } from './verdict.ts';
import { isSame } from './watchers.ts';
import type { Alert, Watchers } from './watchers.ts';

const QUIET_WITHIN_MS = 10 * 60_000;
/** Alertmanager waits up to 15 s before it notifies of a new group, and a minute before it adds to one. */
const LATE_NOTICE_MS = 75_000;
const LOOK_EVERY_MS = 1_000;

interface Span {
  readonly firedMs: number;
  endedMs: number | null;
}

/** Records when each alert fires and ends. */
class Observation {
  readonly #spans: { readonly alert: Alert; readonly span: Span }[] = [];
  firing: readonly Alert[] = [];

  constructor(private readonly watchers: Watchers) {}

  async until(isOver: () => boolean, longestMs: number): Promise<void> {
    const endMs = performance.now() + longestMs;
    while (performance.now() < endMs) {
      await this.#look();
      if (isOver()) return;
      await sleep(LOOK_EVERY_MS);
    }
  }

  fires(alert: Alert): boolean {
    return this.firing.some((one) => isSame(one, alert));
  }

  first(alert: Alert): Span | undefined {
    return this.#spans.find((one) => isSame(one.alert, alert))?.span;
  }

  lastEndMs(alert: Alert): number | null {
    return this.#spans.findLast((one) => isSame(one.alert, alert))?.span.endedMs ?? null;
  }

  get names(): readonly string[] {
    return [...new Set(this.#spans.map(({ alert }) => alert.alert))];
  }

  async #look(): Promise<void> {
    const now = await this.watchers.firing();
    const atMs = performance.now();
    for (const { alert, span } of this.#spans) {
      if (span.endedMs === null && !now.some((one) => isSame(one, alert))) span.endedMs = atMs;
    }
    for (const alert of now) {
      if (!this.fires(alert)) this.#spans.push({ alert, span: { firedMs: atMs, endedMs: null } });
    }
    this.firing = now;
  }
}

export type RoundOutcome = Awaited<ReturnType<typeof playRound>>;

/** Injects the faults, holds them for `holdMs`, heals them, and waits until every alert has ended. */
export async function playRound(faults: readonly AlertFault[], holdMs: number, tools: FaultTools, watchers: Watchers) {
  const observation = new Observation(watchers);
  const skipped: string[] = [];
  const played: AlertFault[] = [];
  const heals: Heal[] = [];
  const beganMs = performance.now();
  for (const fault of faults) {
    const made = await inject(fault.name, tools);
    if (typeof made === 'string') {
      skipped.push(`${fault.name}: ${made}`);
      continue;
    }
    heals.push(made);
    played.push(fault);
  }
  if (played.length === 0) return { causes: [], heldBack: [], problems: [], skipped, unnoticed: [] };
  await observation.until(() => false, holdMs);
  for (const heal of heals) heal();
  const healedMs = performance.now();
  const expected = played.flatMap(({ causes }) => causes.map(toAlert));
  await observation.until(() => expected.every((alert) => !observation.fires(alert)), RESOLVES_WITHIN_MS + 30_000);
  await observation.until(() => observation.firing.length === 0, QUIET_WITHIN_MS);
  await observation.until(() => false, LATE_NOTICE_MS);
  const since = (fromMs: number, atMs: number | null | undefined): number | null =>
    atMs === null || atMs === undefined ? null : atMs - fromMs;
  const outcomeOf = (fault: string, alert: Alert): CauseOutcome => ({
    fault,
    alert: alert.job === '' ? alert.alert : `${alert.alert} ${alert.job}`,
    firedMs: since(beganMs, observation.first(alert)?.firedMs),
    resolvedMs: since(healedMs, observation.lastEndMs(alert)),
    notifiedMs: since(beganMs, watchers.notified.find((one) => one.atMs >= beganMs && isSame(one, alert))?.atMs),
  });
  const causes = played.flatMap((fault) => fault.causes.map((cause) => outcomeOf(fault.name, toAlert(cause))));
  const stillFiring = observation.firing.map(({ alert, job }) => `${alert} ${job} did not end`);
  return {
    causes,
    /** The names of further alerts that fired and were inhibited. */
    heldBack: observation.names.filter((name) => name !== CAUSE_KNOWN && !expected.some(({ alert }) => alert === name)),
    problems: [
      ...causes.flatMap(problemsOfCause),
      ...stillFiring,
      ...unexpectedAlerts(played, observation.names),
      ...unexpectedNotices(expected, watchers.notified, beganMs),
    ],
    /** Faults that this machine cannot inject, with the reason. */
    skipped,
    /** The faults for which no notification of a cause came. */
    unnoticed: played.filter((fault) => fault.causes.length === 0).map(({ name }) => name),
  };
}

/** Watches the load without faults. */
export async function playQuiet(ms: number, watchers: Watchers): Promise<readonly string[]> {
  const observation = new Observation(watchers);
  const beganMs = performance.now();
  await observation.until(() => false, ms);
  return [
    ...observation.names.map((name) => `${name} fired without a fault`),
    ...unexpectedNotices([], watchers.notified, beganMs),
  ];
}
