import { spawnSync } from 'node:child_process';

/** The command prefix that ends a server together with its starter, even after kill −9; empty except on Linux. */
export function lifelinePrefix(): readonly string[] {
  return hasPdeathsig() ? ['setpriv', '--pdeathsig', 'INT', '--'] : [];
}

let pdeathsig: boolean | null = null;

function hasPdeathsig(): boolean {
  pdeathsig ??= spawnSync('setpriv', ['--pdeathsig', 'INT', '--', 'true'], { stdio: 'ignore' }).status === 0;
  return pdeathsig;
}
