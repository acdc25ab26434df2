import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import type { Account } from './account.ts';
import { SERVER_ENV } from './cluster.ts';

/**
 * A server must not outlive the process that started it, not even after kill −9. Linux does it in the kernel
 * (`setpriv --pdeathsig`); elsewhere a shell waits for the end of a pipe that this process holds.
 */
export function lifelinePrefix(): readonly string[] {
  return hasPdeathsig() ? ['setpriv', '--pdeathsig', 'INT', '--'] : [];
}

let pdeathsig: boolean | null = null;

function hasPdeathsig(): boolean {
  pdeathsig ??= spawnSync('setpriv', ['--pdeathsig', 'INT', '--', 'true'], { stdio: 'ignore' }).status === 0;
  return pdeathsig;
}

/** Ends the server when this process ends; nothing to do where the kernel does that. The answer lets go of it. */
export function watchFromOutside(serverPid: number, clusterFolder: string, account: Account): () => void {
  if (hasPdeathsig()) return () => undefined;
  return shellLifeline(serverPid, clusterFolder, account);
}

/** The pipe's other end closes when this process ends, however it ends; then the server gets its fast shutdown. */
export function shellLifeline(serverPid: number, clusterFolder: string, account: Account): () => void {
  // The pid file is asked again: by then the number might be somebody else's.
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
  // Its end neither ends this process nor keeps it alive.
  shell.on('error', () => undefined);
  shell.unref();
  return () => shell.kill('SIGKILL');
}
