import * as supervisor from '@paper/supervisor';
import { builtProgram } from './built.ts';

export type { ServiceName, ServiceProcess } from '@paper/supervisor';

/** Starts a service as a separate process, with a log that tests can read. Default: its built program. */
export async function startServiceProcess(
  name: supervisor.ServiceName,
  env: Readonly<Record<string, string>>,
  program?: supervisor.Program,
): Promise<supervisor.ServiceProcess> {
  return supervisor.startServiceProcess(
    name,
    { LOG_LEVEL: 'info', ...env },
    { program: program ?? (await builtProgram(`services/${name}/src/main`)) },
  );
}
