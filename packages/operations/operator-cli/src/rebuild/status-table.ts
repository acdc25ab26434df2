import type { rebuilding } from '@paper/read-models';
import Table from 'cli-table3';

export function statusTable(status: rebuilding.RebuildStatus, headSeq: number): string {
  const table = new Table({
    head: ['schema', 'is', 'at event', 'behind', 'size'],
    colAligns: ['left', 'left', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  });
  for (const schema of status.schemas) {
    const { seq, bytes } = schema;
    table.push([
      schema.schema,
      meaning(schema, status),
      seq,
      Math.max(0, headSeq - seq),
      `${(bytes / 1e6).toFixed(1)} MB`,
    ]);
  }
  return `The journal is at event ${headSeq}.\n${table.toString()}`;
}

function meaning(
  { status, version }: rebuilding.SchemaState,
  { running, version: own }: rebuilding.RebuildStatus,
): string {
  const of = version === own ? '' : ` (of version ${version}; this is ${own})`;
  switch (status) {
    case 'active':
      return `serving${of}`;
    case 'former':
      return `former: --back, or --retire${of}`;
    case 'filling':
      return running ? `being filled${of}` : `cut off: rebuild goes on, or --abort${of}`;
  }
}
