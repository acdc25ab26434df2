import type { AlertFault, ExpectedAlert } from './faults.ts';
import { isSame } from './watchers.ts';
import type { Alert, Notified } from './watchers.ts';

/** The alert that fires with every critical cause and for 90 s after it, and is notified to no receiver. */
export const CAUSE_KNOWN = 'PaperCauseKnown';

const FIRES_WITHIN_MS = 60_000;
export const RESOLVES_WITHIN_MS = 120_000;

/** The times of one expected alert, in ms; null for a step that did not happen. */
export interface CauseOutcome {
  readonly fault: string;
  readonly alert: string;
  readonly firedMs: number | null;
  /** The time from the end of the fault to the end of the alert. */
  readonly resolvedMs: number | null;
  readonly notifiedMs: number | null;
}

export const toAlert = ({ alert, job = '' }: ExpectedAlert): Alert => ({ alert, job });

/** Checks that the alert fired, ended and was notified, each in time. Returns what went wrong. */
export function problemsOfCause({ alert, fault, firedMs, notifiedMs, resolvedMs }: CauseOutcome): readonly string[] {
  const late = (what: string, ms: number | null, atMostMs: number): readonly string[] => {
    if (ms === null) return [`${fault}: ${alert} ${what} never`];
    return ms <= atMostMs ? [] : [`${fault}: ${alert} ${what} after ${Math.round(ms / 1000)} s`];
  };
  return [
    ...late('fired', firedMs, FIRES_WITHIN_MS),
    ...late('resolved', resolvedMs, RESOLVES_WITHIN_MS),
    ...(notifiedMs === null ? [`${fault}: the receiver was not notified of ${alert}`] : []),
  ];
}

/** The alerts that fired although the table of faults does not expect them. */
export function unexpectedAlerts(played: readonly AlertFault[], fired: readonly string[]): readonly string[] {
  const known = new Set([
    CAUSE_KNOWN,
    ...played.flatMap(({ causes, heldBack }) => [...causes.map(({ alert }) => alert), ...heldBack]),
  ]);
  const names = played.map(({ name }) => name).join(', ');
  return fired.filter((name) => !known.has(name)).map((name) => `${names}: ${name} fired as well`);
}

/** Notifications other than those of the expected alerts, and repeated ones. */
export function unexpectedNotices(
  expected: readonly Alert[],
  notified: readonly Notified[],
  sinceMs: number,
): readonly string[] {
  const since = notified.filter(({ atMs }) => atMs >= sinceMs);
  return since.flatMap((notice, nth) => {
    const name = `${notice.alert} ${notice.job}`.trim();
    if (!expected.some((alert) => isSame(alert, notice))) return [`the receiver was notified of ${name}`];
    if (since.findIndex((one) => isSame(one, notice)) === nth) return [];
    return [`the receiver was notified of ${name} twice`];
  });
}
