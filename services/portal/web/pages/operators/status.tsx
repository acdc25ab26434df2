import type { RebuildStatusBody } from '@paper/contracts/operator';
import type { OperatorStatusBody } from '@paper/contracts/service';
import { useRead } from '../../data/api/use-read.ts';
import { Facts } from '../../ui/facts.tsx';
import { countText } from '../../ui/format.ts';
import { ReadNotice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { operatorPath } from './operator-calls.ts';

const STATUS_EVERY_MS = 5_000;
const REBUILD_EVERY_MS = 15_000;
const MIB = 1024 * 1024;

const PROJECTION_COLUMNS: readonly Column<OperatorStatusBody['projections'][number]>[] = [
  { name: 'Projection', cell: ({ name }) => name },
  { name: 'Event', isFigure: true, cell: ({ seq }) => countText(seq) },
  { name: 'Events behind', isFigure: true, cell: ({ lagEvents }) => countText(lagEvents) },
  { name: 'Time behind', isFigure: true, cell: ({ lagMs }) => durationText(lagMs) },
  { name: 'Problem', cell: ({ problem }) => problem ?? 'none' },
];

const SCHEMA_COLUMNS: readonly Column<RebuildStatusBody['schemas'][number]>[] = [
  { name: 'Schema', cell: ({ schema }) => schema },
  { name: 'Version', isFigure: true, cell: ({ version }) => version },
  { name: 'Status', cell: ({ status }) => status },
  { name: 'Event', isFigure: true, cell: ({ seq }) => countText(seq) },
  { name: 'Size', isFigure: true, cell: ({ bytes }) => `${(bytes / MIB).toFixed(1)} MiB` },
];

export function Status({ isAttended }: { readonly isAttended: boolean }) {
  const everyMs = isAttended ? STATUS_EVERY_MS : undefined;
  const { data: status, error } = useRead<OperatorStatusBody>(operatorPath('status'), { everyMs });
  return (
    <Section title="System">
      <ReadNotice data={status} error={error} />
      {status !== null && (
        <>
          <Facts
            as="facts"
            of={{
              Journal: `event ${countText(status.journalSeq)}`,
              Shard: status.shard,
              'Epoch of the writer': countText(status.epoch),
              'Waiting commands': countText(status.queueDepth),
              Version: status.version,
              'Up for': durationText(status.uptimeMs),
            }}
          />
          <Table
            caption="Projections"
            columns={PROJECTION_COLUMNS}
            rows={status.projections}
            keyOf={({ name }) => name}
          />
          <Rebuild isAttended={isAttended} />
        </>
      )}
    </Section>
  );
}

function Rebuild({ isAttended }: { readonly isAttended: boolean }) {
  const everyMs = isAttended ? REBUILD_EVERY_MS : undefined;
  const { data, error } = useRead<RebuildStatusBody>(operatorPath('rebuild'), { everyMs });
  return (
    <>
      <h3>Read models</h3>
      <ReadNotice data={data} error={error} />
      {data !== null && (
        <>
          <p>
            {data.running ? 'A rebuild is at work.' : 'No rebuild is at work.'} This service reads version{' '}
            {data.version}.
          </p>
          <Table
            caption="Schemas of the read models"
            columns={SCHEMA_COLUMNS}
            rows={data.schemas}
            keyOf={({ schema }) => schema}
          />
        </>
      )}
    </>
  );
}

function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
