import { spawnSync } from 'node:child_process';

/**
 * Command prefix that ends a server together with the process that started it, also after kill −9: Linux does it
 * (`setpriv --pdeathsig`). Empty where it cannot.
 */
export function lifelinePrefix(): readonly string[] {
  return hasPdeathsig() ? ['setpriv', '--pdeathsig', 'INT', '--'] : [];
}

let pdeathsig: boolean | null = null;

function hasPdeathsig(): boolean {
  pdeathsig ??= spawnSync('setpriv', ['--pdeathsig', 'INT', '--', 'true'], { stdio: 'ignore' }).status === 0;
  return pdeathsig;
}
