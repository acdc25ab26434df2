import type { MarketBody, Phase } from '@paper/contracts/markets';
import { useState } from 'preact/hooks';
import { toCallError } from '../../base/call-error.ts';
import { useRead } from '../../data/api/use-read.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/field.tsx';
import { Time } from '../../ui/figures.tsx';
import { countText, percentText } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { MarketDialog } from './market-commands.tsx';
import type { MarketQuestion } from './market-commands.tsx';
import { operatorCommand, operatorPath } from './operator-calls.ts';

const PHASE_OPTIONS: readonly { readonly value: Phase | 'all'; readonly text: string }[] = [
  { value: 'active', text: 'Active' },
  { value: 'paused', text: 'Paused' },
  { value: 'scheduled', text: 'Scheduled' },
  { value: 'closed', text: 'Closed' },
  { value: 'settling', text: 'Settling' },
  { value: 'resolved', text: 'Resolved' },
  { value: 'void', text: 'Void' },
  { value: 'all', text: 'All' },
];

type Action = 'activate' | 'pause' | 'close' | 'resolve' | 'void';

/** The actions for a market in each phase. */
const ACTIONS: Readonly<Record<Phase, readonly Action[]>> = {
  scheduled: ['activate', 'resolve', 'void'],
  active: ['pause', 'close', 'resolve', 'void'],
  paused: ['activate', 'close', 'resolve', 'void'],
  closed: ['activate', 'resolve', 'void'],
  settling: [],
  resolved: [],
  void: [],
};
const WORDS: Readonly<Record<Action, string>> = {
  activate: 'Activate',
  pause: 'Pause',
  close: 'Close',
  resolve: 'Resolve',
  void: 'Void',
};

/** Markets by phase, and what can be done with them. */
export function Markets() {
  const [phase, setPhase] = useState<Phase | 'all'>('active');
  const first = operatorPath(`markets?limit=50${phase === 'all' ? '' : `&phase=${phase}`}`);
  const [page, setPage] = useState<{ readonly of: string; readonly path: string } | null>(null);
  const path = page?.of === first ? page.path : first;
  const { data, error, next, reload } = useRead<readonly MarketBody[]>(path);
  const [open, setOpen] = useState<MarketQuestion | null>(null);
  const [result, setResult] = useState<{ readonly kind: 'success' | 'error'; readonly text: string } | null>(null);
  const done = (text: string): void => {
    setOpen(null);
    setResult({ kind: 'success', text });
    reload();
  };
  const act = (action: Action, market: MarketBody): void => {
    setResult(null);
    if (action === 'activate' || action === 'pause') {
      operatorCommand('POST', `markets/${encodeURIComponent(market.id)}/${action}`).then(
        () => done(`${market.id} is ${action === 'pause' ? 'paused' : 'active'}.`),
        (failed: unknown) => setResult({ kind: 'error', text: toCallError(failed).message }),
      );
      return;
    }
    setOpen({ action, market });
  };
  return (
    <Section title="Markets">
      <div class="filter">
        <Choice label="Phase" value={phase} options={PHASE_OPTIONS} onValue={setPhase} />
      </div>
      <div class="actions">
        <Button kind="main" onClick={() => setOpen({ action: 'list' })}>
          List a market
        </Button>
      </div>
      {result !== null && <Notice kind={result.kind}>{result.text}</Notice>}
      {error !== null && <Notice kind="error">{error.message}</Notice>}
      <Table
        caption="Markets of this phase"
        columns={columnsOf(act)}
        rows={data}
        keyOf={({ id }) => id}
        empty="No market is in this phase."
      />
      <div class="actions">
        {path !== first && <Button onClick={() => setPage(null)}>Newest</Button>}
        {next !== null && <Button onClick={() => setPage({ of: first, path: next })}>Older</Button>}
      </div>
      {open !== null && <MarketDialog question={open} onClose={() => setOpen(null)} onDone={done} />}
    </Section>
  );
}

function columnsOf(onAction: (action: Action, market: MarketBody) => void): readonly Column<MarketBody>[] {
  return [
    {
      name: 'Market',
      cell: ({ id, title }) => (
        <>
          <a href={`/markets/${encodeURIComponent(id)}`}>{title}</a>
          <br />
          <code class="hash">{id}</code>
        </>
      ),
    },
    { name: 'Phase', cell: ({ phase }) => phase },
    { name: 'Closes', cell: ({ closesAt }) => <Time at={closesAt} /> },
    { name: 'Chance', isFigure: true, cell: ({ probability }) => percentText(probability) },
    { name: 'Volume', isFigure: true, cell: ({ volume }) => countText(volume) },
    {
      name: 'Actions',
      cell: (market) => (
        <div class="actions">
          {ACTIONS[market.phase].map((action) => (
            <Button
              key={action}
              kind={action === 'resolve' || action === 'void' ? 'danger' : 'plain'}
              label={`${WORDS[action]} ${market.id}`}
              onClick={() => onAction(action, market)}
            >
              {WORDS[action]}
            </Button>
          ))}
        </div>
      ),
    },
  ];
}
