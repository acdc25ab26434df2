import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { lifelinePrefix } from '@paper/runtime';
import type { Account } from './account.ts';
import { SERVER_ENV } from './cluster.ts';

/**
 * Ends the server when this process ends in any way: a shell, whose pipe that closes, shuts the server down, unless the
 * kernel does. The returned function stops watching.
 */
export function tieServerToProcess(serverPid: number, clusterFolder: string, account: Account): () => void {
  if (lifelinePrefix().length > 0) return () => undefined;
  // The script reads the pid file again, since the pid may belong to another process by then.
  const script = 'while read -r _; do :; done; read pid <"$1/postmaster.pid" && [ "$pid" = "$2" ] && kill -INT "$2"';
  const shell: ChildProcess = spawn(
    '/bin/sh',
    ['-c', script, 'lifeline', account.pathOf(clusterFolder), String(serverPid)],
    {
      cwd: clusterFolder,
      env: SERVER_ENV,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      ...(account.ids ?? {}),
    },
  );
  // The end of the shell must not end this process, and the shell must not keep this process alive.
  shell.on('error', () => undefined);
  shell.unref();
  return () => shell.kill('SIGKILL');
}
