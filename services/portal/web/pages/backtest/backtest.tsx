import type { BacktestBody, BacktestReportBody } from '@paper/contracts/backtests';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useTitle } from '../../base/use-title.ts';
import { useRead } from '../../data/api/use-read.ts';
import { OnlySignedIn } from '../../data/people/only-signed-in.tsx';
import { useSession } from '../../data/session/session.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Gain, Money } from '../../ui/figures.tsx';
import { countedText, countText, moneyText, NO_FIGURE, percentText, timeText } from '../../ui/format.ts';
import { Notice, ReadNotice } from '../../ui/notice.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Section } from '../../ui/section.tsx';
import { stateText } from '../backtests/state-text.ts';
import type { PageProps } from '../page-props.ts';
import { EquityChart } from './equity-chart.tsx';
import { Fills } from './fills.tsx';

const EVERY_MS = 5_000;

export default function Backtest({ params: { id = '' } }: PageProps) {
  const { person } = useSession();
  const path = `/portal/as/me/backtests/${encodeURIComponent(id)}`;
  const { data, error } = useRead<BacktestBody>(person === null ? null : path, { everyMs: EVERY_MS });
  const title = data === null ? 'Backtest' : `Backtest of ${data.tape}`;
  useTitle(title);
  return (
    <>
      <p>
        <Link href="/backtests">All backtests</Link>
      </p>
      <h1>{title}</h1>
      <OnlySignedIn>
        {() =>
          error?.code === 'backtest_not_found' ? (
            <p>Your fleet has no backtest at this address. One that ended is kept for seven days.</p>
          ) : (
            <>
              <ReadNotice data={data} error={error} />
              {data !== null && <Shown path={path} backtest={data} />}
            </>
          )
        }
      </OnlySignedIn>
    </>
  );
}

function Shown({ path, backtest }: { readonly path: string; readonly backtest: BacktestBody }) {
  const { clock, events, eventsDone, state } = backtest;
  const isOver = state === 'ended' || state === 'failed';
  // The report of a failed backtest contains only the part that was written.
  const { data, error } = useRead<BacktestReportBody>(isOver ? `${path}/report?partial=true` : null);
  return (
    <>
      <p>
        <strong>{stateText(backtest)}</strong>
        {clock !== null && ` · its time is ${timeText(clock, true)}`}
      </p>
      {!isOver && (
        <>
          <progress aria-label="Events played" max={Math.max(events, 1)} value={eventsDone} />
          <p class="quiet">
            {countText(eventsDone)} of {countText(events)} events are played. The report is here once it has ended.
          </p>
        </>
      )}
      {/* Just after the end the report is not made yet (503), and is read again. */}
      {isOver && <ReadNotice data={data} error={error?.isTransient === true ? null : error} />}
      {data !== null && <Report report={data} />}
    </>
  );
}

function Report({ report }: { readonly report: BacktestReportBody }) {
  const { journal, leftOut, notModelled, participants, queue, reproducible, settings, tape } = report;
  const [turn, setTurn] = useState('0');
  const participant = participants[Number(turn)];
  const options = participants.map((_, index) => ({ value: String(index), text: String(index + 1) }));
  return (
    <>
      {tape.synthetic && <Notice kind="info">Parts of this recording are made up: its books, or all of it.</Notice>}
      {leftOut.length > 0 && (
        <Notice kind="info">
          {countedText(leftOut.length, 'participant')} did not call in time and lost the turn for good, so another run
          may differ.
        </Notice>
      )}
      {participants.length > 1 && (
        <Segments showLabel label="Participant" value={turn} options={options} onValue={setTurn} />
      )}
      {participant !== undefined && (
        <>
          <Figures participant={participant} />
          <EquityChart
            equity={participant.equity}
            start={settings.startingBalance}
            baselines={report.baselines}
            key={participant.accountId}
          />
          <Section title="Fills" class="card">
            <Fills fills={participant.fills} markets={tape.markets} key={participant.accountId} />
          </Section>
        </>
      )}
      <Section title="What a backtest cannot know" class="card">
        <ul>
          {notModelled.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        <p class="quiet">
          Place in the queue: {queue}. Seed {settings.seed}, decisions after {countText(settings.latencyMs)} ms, market
          data after {countText(settings.feedLatencyMs)} ms. {reproducible && 'The same bot gives the same journal: '}
          {countedText(journal.seq, 'event')}, hash <code>{journal.hash}</code>
        </p>
      </Section>
    </>
  );
}

function Figures({ participant }: { readonly participant: BacktestReportBody['participants'][number] }) {
  const { fees, makerShare, maxDrawdown, pnl, return: gained, spreadPaid, turnover } = participant;
  return (
    <Facts
      as="tiles"
      of={{
        'P&L': <Gain amount={pnl} />,
        Return: gained === null ? NO_FIGURE : `${gained > 0 ? '+' : ''}${(100 * gained).toFixed(2)}%`.replace('-', '−'),
        'Largest fall': <Money amount={maxDrawdown.amount} />,
        Traded: <Money amount={turnover} />,
        'As maker': percentText(makerShare),
        'Spread paid': <Money amount={spreadPaid.amount} />,
        ...(fees > 0 && { 'Fees, not charged': moneyText(fees) }),
      }}
    />
  );
}
