import { HOUR_MS } from '@paper/contracts/units';
import { noteMailStatus } from './identity/mailer.ts';
import type { PortalParts } from './http/portal-parts.ts';
import { Repeated } from './base/repeated.ts';
import type { BackgroundJob } from './base/repeated.ts';

export function backgroundJobs(parts: PortalParts): BackgroundJob[] {
  const { db, deletions, keys, logger, mailer, opening, operatorSessions, sessions, signUps, streams, throttle } =
    parts;
  const hourly = (what: string, work: () => Promise<void>): BackgroundJob => new Repeated(what, HOUR_MS, work, logger);
  return [
    opening,
    deletions,
    // Streams are cut within five seconds after their session has ended.
    new Repeated('end the streams of ended sessions', 5_000, () => streams.cutEnded(), logger),
    hourly('check the mail server', () => noteMailStatus(db, mailer, logger)),
    hourly('sweep sessions', () => sessions.sweep()),
    hourly('sweep sessions of operators', () => operatorSessions.sweep()),
    hourly('sweep throttles', () => throttle.sweep()),
    hourly('sweep sign-ups', () => signUps.sweep()),
    hourly('revoke unused keys', () => keys.revokeUnused()),
  ];
}
