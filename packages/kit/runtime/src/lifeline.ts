import { spawnSync } from 'node:child_process';

/**
 * The command prefix that ends a server together with the process that started it, even after kill −9, which Linux
 * supports (`setpriv --pdeathsig`). Empty on other systems.
 */
export function lifelinePrefix(): readonly string[] {
  return hasPdeathsig() ? ['setpriv', '--pdeathsig', 'INT', '--'] : [];
}

let pdeathsig: boolean | null = null;

function hasPdeathsig(): boolean {
  pdeathsig ??= spawnSync('setpriv', ['--pdeathsig', 'INT', '--', 'true'], { stdio: 'ignore' }).status === 0;
  return pdeathsig;
}
