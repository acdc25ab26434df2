import { expect } from 'chai';
import { ALERT_FAULTS } from '../src/alerts/faults.ts';
import { toAlert, problemsOfCause, unexpectedAlerts, unexpectedNotices } from '../src/alerts/verdict.ts';
import type { CauseOutcome } from '../src/alerts/verdict.ts';

const GOOD: CauseOutcome = {
  fault: 'postgres-away',
  alert: 'PaperPostgresAway',
  firedMs: 28_000,
  notifiedMs: 42_000,
  resolvedMs: 33_000,
};

const away = toAlert({ alert: 'PaperPostgresAway' });
const notice = (alert: string, atMs: number, job = '') => ({ alert, atMs, job, startsAt: String(atMs) });

describe('the judge of alerts', () => {
  it('finds nothing where the cause came, ended and was notified of in time', () => {
    expect(problemsOfCause(GOOD)).to.deep.equal([]);
    expect(unexpectedNotices([away], [notice('PaperPostgresAway', 42)], 0)).to.deep.equal([]);
  });

  it('finds a cause that came late, ended late, or was not notified of', () => {
    expect(problemsOfCause({ ...GOOD, firedMs: 61_000 })).to.deep.equal([
      'postgres-away: PaperPostgresAway fired after 61 s',
    ]);
    expect(problemsOfCause({ ...GOOD, resolvedMs: 121_000 })).to.have.length(1);
    expect(problemsOfCause({ ...GOOD, firedMs: null, notifiedMs: null, resolvedMs: null })).to.have.length(3);
  });

  it('finds a notification of a symptom, of a cause twice, and of another service', () => {
    const notified = [notice('PaperErrors', 1), notice('PaperPostgresAway', 2), notice('PaperPostgresAway', 9)];
    expect(unexpectedNotices([away], notified, 0)).to.deep.equal([
      'the receiver was notified of PaperErrors',
      'the receiver was notified of PaperPostgresAway twice',
    ]);
    const portal = toAlert({ alert: 'PaperServiceDown', job: 'portal' });
    expect(unexpectedNotices([portal], [notice('PaperServiceDown', 1, 'mcp')], 0)).to.have.length(1);
    expect(unexpectedNotices([away], notified, 5)).to.deep.equal([]);
  });

  it('finds an alert that the table of faults does not name', () => {
    const played = ALERT_FAULTS.filter(({ name }) => name === 'postgres-away');
    expect(unexpectedAlerts(played, ['PaperPostgresAway', 'PaperNoLeader', 'PaperCauseKnown'])).to.deep.equal([]);
    expect(unexpectedAlerts(played, ['PaperRestarts'])).to.deep.equal(['postgres-away: PaperRestarts fired as well']);
  });
});
