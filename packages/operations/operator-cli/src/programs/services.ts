import path from 'node:path';
import { Command } from 'commander';
import { askRestart, askStatus, hasSettled } from '@paper/supervisor';
import { print } from '@paper/runtime';
import { orExitCode2 } from '../exit-code.ts';
import { statusTable } from '../services/status-table.ts';

/** `npm run services -- status` and `-- restart NAME`: for the `npm run start:services` that runs on DATA_DIR. */
const dataDir = path.resolve(process.env['DATA_DIR'] ?? './data');

const program = new Command('services').description(
  'Look at, or restart one of, the processes that `npm run start:services` runs (on DATA_DIR; default: ./data).',
);

program
  .command('status')
  .description('print a line for each process; exit code 1 when one is down or does not answer')
  .option('--json', 'for programs')
  .action(({ json }: { readonly json?: true }) =>
    orExitCode2(async () => {
      const status = await askStatus(dataDir);
      const { services, waitingFor } = status;
      if (json === true) {
        print(JSON.stringify(status));
      } else {
        for (const server of waitingFor) print(`Waiting for ${server}`);
        print(services.length === 0 ? 'No service has been started yet.' : statusTable(services));
      }
      const works = services.length > 0 && services.every(({ state }) => state === 'running');
      if (!works) process.exitCode = 1;
    }),
  );

program
  .command('restart')
  .description('stop one process in order and start it again; ends when it is ready or stands by')
  .argument('<name>', 'as status prints it, such as query-api-1 or front-door')
  .action((name: string) =>
    orExitCode2(async () => {
      const status = await askRestart(dataDir, name);
      print(statusTable([status]));
      if (!hasSettled(status)) process.exitCode = 1;
    }),
  );

await program.parseAsync();
