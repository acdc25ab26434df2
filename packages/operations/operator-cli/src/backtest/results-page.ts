import type { Api } from 'paper-trading-client';
import { dollars, percent } from './results-table.ts';
import type { Participant } from './results-table.ts';

type Report = Api.BacktestReport;

const [WIDTH, HEIGHT] = [900, 220];
const STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}body{max-width:60rem;margin:2rem auto;
padding:0 1rem}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{text-align:right;
padding:.2rem .5rem;border-bottom:1px solid #8884}th:first-child,td:first-child{text-align:left}svg{width:100%;
border:1px solid #8884}svg path{fill:none;stroke:#2563eb;stroke-width:1.5}svg line{stroke:#8888;stroke-dasharray:4 4}
svg circle{fill:#2563eb}svg circle.sell{fill:#d97706}svg text{font-size:12px;fill:currentColor}`;

/** The results of backtests as one HTML page without scripts. */
export function resultsPage(reports: readonly Report[]): string {
  const parts = reports.flatMap((report) => [
    `<h2>${escaped(report.tape.id)}${report.tape.synthetic ? ' (synthetic book)' : ''}</h2>`,
    `<p>${escaped(report.tape.markets.map(({ title }) => title).join('; '))}. Seed ${report.settings.seed}, latency
${report.settings.latencyMs} ms, feed ${report.settings.feedLatencyMs} ms. Journal ${report.journal.hash}.</p>`,
    ...(report.reproducible ? [] : ['<p><strong>Not reproducible: a bot was left out.</strong></p>']),
    ...report.participants.map((one) => participantPart(report, one)),
    `<h3>Not modelled</h3><ul>${report.notModelled.map((text) => `<li>${escaped(text)}</li>`).join('')}</ul>`,
  ]);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Backtests</title><style>${STYLE}</style><h1>Backtests</h1>${parts.join('\n')}</html>\n`;
}

function participantPart(report: Report, one: Participant): string {
  const { equity, fees, fills, makerShare, maxDrawdown, pnl, spreadPaid, turnover } = one;
  const facts = [
    ['Won or lost', dollars(pnl)],
    ...report.baselines.map(({ name, pnl: other }) => [name.replace('_', ' '), dollars(other)]),
    ['Return', percent(one.return)],
    ['Largest drawdown', dollars(maxDrawdown.amount)],
    ['Turnover', dollars(turnover)],
    ['As the resting side', percent(makerShare)],
    ['Spread paid', dollars(spreadPaid.amount)],
    ['Fees (not charged)', dollars(fees)],
    ['Fills', String(fills.length)],
  ];
  const start = report.settings.startingBalance;
  const points = equity.map((point) => ({ atMs: Date.parse(point.at), value: point.equity }));
  const prices = fills.map((fill) => ({ atMs: Date.parse(fill.at), value: fill.price, mark: fill.side }));
  const rows = fills.map(({ at, marketId, outcome, price, quantity, queueWaitMs, role, side }) => {
    const wait = queueWaitMs === null ? '' : `${queueWaitMs} ms`;
    const cells = [at, marketId, `${side} ${outcome}`, role, price, quantity, wait];
    return `<tr>${cells.map((cell) => `<td>${escaped(String(cell))}</td>`).join('')}</tr>`;
  });
  return `<table>${facts.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join('')}</table>
<h3>Equity</h3>${chart(points, start, true)}<h3>Prices of fills</h3>${chart(prices, null, false)}
<details><summary>${fills.length} fills</summary><table><tr><th>Time</th><th>Market</th><th>Side</th><th>Role</th>
<th>Price</th><th>Quantity</th><th>Waited</th></tr>${rows.join('')}</table></details>`;
}

interface Point {
  readonly atMs: number;
  readonly value: number;
  readonly mark?: string;
}

/** Points over time as a line of steps, or as dots; `level` is a dashed line. */
function chart(points: readonly Point[], level: number | null, isLine: boolean): string {
  if (points.length === 0) return '<p>None.</p>';
  const values = [...points.map(({ value }) => value), ...(level === null ? [] : [level])];
  const [low, high] = values.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );
  const [from, to] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 0];
  const x = ({ atMs }: Point): string => ((WIDTH * (atMs - from)) / (to - from || 1)).toFixed(1);
  const y = (value: number): string => (HEIGHT - 10 - ((HEIGHT - 20) * (value - low)) / (high - low || 1)).toFixed(1);
  const path = points.map(
    (point, index) => `${index === 0 ? 'M' : 'H'}${x(point)}${index === 0 ? ' ' : 'V'}${y(point.value)}`,
  );
  const dots = points.map((point) => `<circle class="${point.mark}" cx="${x(point)}" cy="${y(point.value)}" r="3"/>`);
  const dashed = level === null ? '' : `<line x1="0" x2="${WIDTH}" y1="${y(level)}" y2="${y(level)}"/>`;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="From ${low} to ${high}">${dashed}${
    isLine ? `<path d="${path.join('')}"/>` : dots.join('')
  }<text x="4" y="14">${high}</text><text x="4" y="${HEIGHT - 4}">${low}</text></svg>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
