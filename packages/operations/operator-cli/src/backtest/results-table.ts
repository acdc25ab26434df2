import { escapeText } from '@paper/runtime';
import Table from 'cli-table3';
import type { Api } from 'paper-trading-client';

export type Participant = Api.BacktestReport['participants'][number];

const COLUMNS = ['tape', 'pnl', 'return', 'drawdown', 'turnover', 'maker', 'spread', 'fees', 'fills', 'yes', 'no'];

/** The results of backtests as a table: a row a participant, and where there are several a last one with the sums. */
export function resultsTable(reports: readonly Api.BacktestReport[]): string {
  if (reports.length === 0) return 'Nothing was played.';
  const table = new Table({ head: COLUMNS, style: { head: [], border: [], compact: true } });
  const rows = reports.flatMap((report) => report.participants.map((participant) => ({ participant, report })));
  for (const { participant, report } of rows) table.push(rowOf(report, participant));
  if (rows.length > 1) {
    const sum = (figure: (one: Participant) => number): string =>
      dollars(rows.reduce((total, { participant }) => total + figure(participant), 0));
    const fills = rows.reduce((total, { participant }) => total + participant.fills.length, 0);
    const turnover = sum((one) => one.turnover);
    const spread = sum((one) => one.spreadPaid.amount);
    table.push(['all', sum((one) => one.pnl), '', '', turnover, '', spread, sum((one) => one.fees), fills, '', '']);
  }
  return [table.toString(), ...notesOf(reports)].join('\n');
}

function rowOf(report: Api.BacktestReport, participant: Participant): string[] {
  const { fees, fills, makerShare, maxDrawdown, pnl, spreadPaid, turnover } = participant;
  const baseline = (name: string): string => dollars(report.baselines.find((one) => one.name === name)?.pnl ?? null);
  return [
    `${escapeText(report.tape.id)}${report.tape.synthetic ? ' (synthetic)' : ''}`,
    dollars(pnl),
    percent(participant.return),
    dollars(maxDrawdown.amount),
    dollars(turnover),
    percent(makerShare),
    dollars(spreadPaid.amount),
    dollars(fees),
    String(fills.length),
    baseline('hold_yes'),
    baseline('hold_no'),
  ];
}

function notesOf(reports: readonly Api.BacktestReport[]): readonly string[] {
  const heads = reports.map(({ id, journal, tape }) => `${escapeText(tape.id)}: ${id}, journal ${journal.hash}`);
  const others = reports.filter(({ reproducible }) => !reproducible).map(({ tape }) => escapeText(tape.id));
  return [
    'yes, no: what it gave to hold that side. Fees are nobody’s: they are what the rate would have taken.',
    ...(others.length === 0 ? [] : [`Not reproducible, since a bot was left out: ${others.join(', ')}`]),
    ...heads,
  ];
}

/** An amount for people; a dash for null. */
export const dollars = (amount: number | null): string => (amount === null ? '–' : amount.toFixed(2));
/** A ratio for people; a dash for null. */
export const percent = (ratio: number | null): string => (ratio === null ? '–' : `${(100 * ratio).toFixed(2)} %`);
