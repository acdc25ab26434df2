import Table from 'cli-table3';
import type { ServiceStatus } from '@paper/supervisor';

export function statusTable(services: readonly ServiceStatus[]): string {
  const table = new Table({
    head: ['name', 'pid', 'state', 'since', 'restarts', 'URL', ''],
    colAligns: ['left', 'right', 'left', 'left', 'right', 'left', 'left'],
    style: { head: [], border: [] },
  });
  for (const { name, pid, state, sinceMs, restarts, url, readiness } of services) {
    table.push([name, pid ?? '-', state, new Date(sinceMs).toISOString(), restarts, url, readiness]);
  }
  return table.toString();
}
