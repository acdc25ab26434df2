import type { MarketBody, Phase } from '@paper/contracts/markets';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/field.tsx';
import { Time } from '../../ui/figures.tsx';
import { capitalized, countText, percentText } from '../../ui/format.ts';
import { Section } from '../../ui/section.tsx';
import { optionsOf } from '../../ui/segments.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { LIST_MARKET, MARKET_COMMANDS } from './market-commands.tsx';
import { operatorCommand, operatorPath } from './operator-calls.ts';
import { useOperatorList } from './use-operator-list.tsx';

const PHASES: readonly Phase[] = ['active', 'paused', 'scheduled', 'closed', 'settling', 'resolved', 'void'];
const PHASE_OPTIONS = optionsOf(...PHASES, 'all');

type Action = 'activate' | 'pause' | 'close' | 'resolve' | 'void';

const ACTIONS: Readonly<Record<Phase, readonly Action[]>> = {
  scheduled: ['activate', 'resolve', 'void'],
  active: ['pause', 'close', 'resolve', 'void'],
  paused: ['activate', 'close', 'resolve', 'void'],
  closed: ['activate', 'resolve', 'void'],
  settling: [],
  resolved: [],
  void: [],
};

export function Markets() {
  const [phase, setPhase] = useState<Phase | 'all'>('active');
  const list = useOperatorList<MarketBody>(operatorPath(`markets?limit=50${phase === 'all' ? '' : `&phase=${phase}`}`));
  const act = (action: Action, market: MarketBody): void => {
    if (action !== 'activate' && action !== 'pause') {
      list.ask(MARKET_COMMANDS[action](market));
      return;
    }
    list.run(market, async () => {
      await operatorCommand('POST', `markets/${encodeURIComponent(market.id)}/${action}`);
      return `${market.id} is ${action === 'pause' ? 'paused' : 'active'}.`;
    });
  };
  return (
    <Section title="Markets">
      <div class="page-head">
        <div class="filter">
          <Choice label="Phase" value={phase} options={PHASE_OPTIONS} onValue={setPhase} />
        </div>
        <Button kind="main" onClick={() => list.ask(LIST_MARKET)}>
          List a market
        </Button>
      </div>
      <Table
        caption="Markets of this phase"
        columns={columnsOf(act)}
        rows={list.data}
        keyOf={({ id }) => id}
        empty="No market is in this phase."
      />
      {list.rest}
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
              label={`${capitalized(action)} ${market.id}`}
              onClick={() => onAction(action, market)}
            >
              {capitalized(action)}
            </Button>
          ))}
        </div>
      ),
    },
  ];
}
