import path from 'node:path';
import { report, runCommand, showWhile } from '@paper/commands';
import { askRestart, askStatus, hasSettled } from '@paper/supervisor';
import type { ServiceStatus } from '@paper/supervisor';
import Table from 'cli-table3';

/** `npm run services -- status` and `-- restart NAME`, for the `npm run start:services` that runs on DATA_DIR. */
const dataDir = (): string => path.resolve(process.env['DATA_DIR'] ?? './data');

await runCommand<object>('services', {
  status: async ({ options }) => {
    const asking = askStatus(dataDir());
    const status = await showWhile('Asking the services', () => asking);
    const { services, waitingFor } = status;
    const table = services.length === 0 ? 'No service has been started yet.' : statusTable(services);
    report(options, status, ...waitingFor.map((server) => `Waiting for ${server}`), table);
    return services.length > 0 && services.every(({ state }) => state === 'running');
  },
  restart: async ({ args: [name = ''], options }) => {
    const restarting = askRestart(dataDir(), String(name));
    const status = await showWhile(`Restarting ${name}`, () => restarting);
    report(options, status, statusTable([status]));
    return hasSettled(status);
  },
});

function statusTable(services: readonly ServiceStatus[]): string {
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
