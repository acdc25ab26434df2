import type { BacktestReportBody } from '@paper/contracts/backtests';
import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Chart } from '../../ui/chart.tsx';
import type { ChartData } from '../../ui/chart-data.ts';
import { Choice } from '../../ui/field.tsx';
import { Price } from '../../ui/figures.tsx';
import { countText, DEALS, OUTCOME_NAMES, percentText, timeText } from '../../ui/format.ts';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';

type Fill = BacktestReportBody['participants'][number]['fills'][number];

/** The rows that are shown at first, and added by each click: a bot may have thousands. */
const ROWS = 20;

const COLUMNS: readonly Column<Fill>[] = [
  { name: 'Time', cell: ({ at }) => timeText(at, true) },
  {
    name: 'Trade',
    cell: ({ outcome, price, quantity, queueWaitMs, role, side }) => (
      <>
        <span class={side === 'buy' ? 'gain' : 'loss'}>{DEALS[side]}</span> {countText(quantity)}{' '}
        {OUTCOME_NAMES[outcome]} at <Price value={price} />
        <span class="order-more">
          {role}
          {queueWaitMs !== null && `, waited ${countText(queueWaitMs)} ms`}
        </span>
      </>
    ),
  },
  { name: 'Middle before', isFigure: true, cell: (fill) => <Price value={middleBefore(fill)} /> },
];

type FillsProps = Readonly<{ fills: readonly Fill[]; markets: BacktestReportBody['tape']['markets'] }>;

export function Fills({ fills, markets }: FillsProps) {
  const traded = markets.filter(({ id }) => fills.some(({ marketId }) => marketId === id));
  const [chosen, setChosen] = useState(traded[0]?.id ?? '');
  const [rows, setRows] = useState(ROWS);
  const own = useMemo(() => fills.filter(({ marketId }) => marketId === chosen), [fills, chosen]);
  const data = useMemo(() => chartOf(own), [own]);
  const last = own.at(-1);
  if (last === undefined) return <p>There is none: no order of this participant traded.</p>;
  return (
    <>
      {traded.length > 1 && (
        <Choice
          label="Market"
          value={chosen}
          options={traded.map(({ id, title }) => ({ value: id, text: title }))}
          onValue={setChosen}
        />
      )}
      <Chart
        label={`Chart of the chance of Yes at the times of ${countText(own.length)} fills`}
        data={data}
        pointText={(index) => fillText(own[index])}
        restText={fillText(last)}
      >
        <p class="quiet">The line is the middle of the book right before each fill · ▲ for Yes, ▼ for No</p>
      </Chart>
      <Table
        caption="Fills, the newest first"
        columns={COLUMNS}
        rows={own.toReversed().slice(0, rows)}
        keyOf={({ orderId, seq }) => `${seq} ${orderId}`}
      />
      {own.length > rows && <Button onClick={() => setRows(rows + ROWS)}>Show more</Button>}
    </>
  );
}

function chartOf(fills: readonly Fill[]): ChartData {
  const values = fills.map((fill) => middleBefore(fill) ?? undefined);
  return {
    times: fills.map(({ at }) => Date.parse(at) / 1000),
    lines: [{ label: 'Chance of Yes', values, kind: 'line', color: '--accent' }],
    marks: fills.map((fill) => ({
      atS: Date.parse(fill.at) / 1000,
      kind: isForYes(fill) ? 'buy' : 'sell',
      value: yesPriceOf(fill),
    })),
    spanS: 60,
    valueText: percentText,
  };
}

const yesPriceOf = ({ outcome, price }: Fill): number => (outcome === 'yes' ? price : 1 - price);

const isForYes = ({ outcome, side }: Fill): boolean => (outcome === 'yes') === (side === 'buy');

/** The middle of the book before a fill; null if one side was empty. */
function middleBefore({ book: { asks, bids } }: Fill): number | null {
  const [ask, bid] = [asks[0]?.price, bids[0]?.price];
  return ask === undefined || bid === undefined ? null : (ask + bid) / 2;
}

function fillText(fill: Fill | undefined): string {
  if (fill === undefined) return '';
  const { at, outcome, quantity, side } = fill;
  const price = percentText(yesPriceOf(fill));
  return `${timeText(at, true)}: ${DEALS[side].toLowerCase()} ${countText(quantity)} ${OUTCOME_NAMES[outcome]} where Yes was at ${price}`;
}
