import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startCommand } from '@paper/commands';
import { isInstalled } from '@paper/runtime';
import { runWithDocker } from './images/docker.ts';
import { EVENTSTORES, postgresPrograms } from './images/stand-ins.ts';

/**
 * `npm run images` builds every image of docker-compose.yml, starts the set from them, trades through its front door
 * and stops it: with Docker if its engine answers, else with Debian's buildah. `--tls` adds docker-compose.tls.yml, and
 * kills one node of its cluster. Exit code 1: something is not as expected; 2: this machine cannot do it.
 */
const { options } = startCommand<{
  readonly engine?: 'docker' | 'buildah';
  readonly storage?: string;
  readonly tls?: true;
}>('images');

/** The programs that a run without Docker needs, with Debian's packages of them. */
const NEEDED: Readonly<Record<string, string>> = {
  buildah: 'buildah',
  dnsmasq: 'dnsmasq-base',
  haproxy: 'haproxy',
  ip: 'iproute2',
  mmdebstrap: 'mmdebstrap',
  nsenter: 'util-linux',
  openssl: 'openssl',
  pg_isready: 'postgresql-client',
  'redis-server': 'redis-server',
  setpriv: 'util-linux',
  wget: 'wget',
};

const NAMESPACES = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** Programs that `--tls` needs in addition. */
const NEEDED_FOR_TLS = { curl: 'curl' };

const hasDocker = (): boolean => spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;

function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}

/** Ends this process if a run without Docker is not possible. */
function requireBuildah(hasTls: boolean): void {
  if (process.getuid?.() !== 0) fail('No Docker engine answers, and building images without one needs root.');
  const namespaces = spawnSync('unshare', [...NAMESPACES, '--net', '--', 'true'], { encoding: 'utf8' });
  if (namespaces.status !== 0) fail(`This machine lets even root make no namespaces: ${namespaces.stderr.trim()}`);
  const needed = hasTls ? { ...NEEDED, ...NEEDED_FOR_TLS } : NEEDED;
  const missing = Object.entries(needed).flatMap(([program, name]) => (isInstalled(program) ? [] : [name]));
  if (postgresPrograms() === null) missing.push('postgresql');
  if (hasTls && !EVENTSTORES.some(isInstalled)) fail(`A cluster needs ${EVENTSTORES.join(' or ')} on PATH.`);
  if (missing.length === 0) return;
  const packages = [...new Set(missing)].join(' ');
  fail(
    'No Docker engine answers, and without one these packages of Debian are needed. RUNLEVEL=1: none starts a service.\n' +
      `  RUNLEVEL=1 apt-get install --no-install-recommends ${packages}`,
  );
}

/** Runs a program in new namespaces, which also end every process that it started. Returns its exit code. */
function inNamespaces(
  program: string,
  folder: string,
  { hasOwnNetwork, hasTls }: { readonly hasOwnNetwork: boolean; readonly hasTls: boolean },
): Promise<number> {
  const network = hasOwnNetwork ? ['--net'] : [];
  // Its requests through the front door trust the set's own authority.
  const trust = hasTls && hasOwnNetwork ? { NODE_EXTRA_CA_CERTS: path.join(folder, 'certificates/ca.crt') } : {};
  const file = path.join(import.meta.dirname, 'images', program);
  const node = [process.execPath, '--import', 'tsx', file, folder, ...(hasTls ? ['tls'] : [])];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', 'unshare', ...NAMESPACES, ...network, '--', ...node], {
    env: { ...process.env, ...trust },
    stdio: ['ignore', 'inherit', 'inherit'],
    // Only this process gets Ctrl-C, and it ends all others.
    detached: true,
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  return new Promise((resolve) => {
    child.once('error', () => resolve(2));
    child.once('close', (code) => {
      process.off('exit', kill);
      resolve(code ?? 2);
    });
  });
}

async function withBuildah(storage: string | undefined, hasTls: boolean): Promise<number> {
  requireBuildah(hasTls);
  if (storage !== undefined) mkdirSync(storage, { recursive: true });
  // The folder is not in /tmp, which is memory on some machines.
  const folder = storage === undefined ? mkdtempSync('/var/tmp/paper-images-') : path.resolve(storage);
  // Postgres and HAProxy run as their own users in folders below.
  chmodSync(folder, 0o711);
  process.once('exit', () => {
    const made =
      storage === undefined ? [folder] : ['set', 'certificates', 'secrets'].map((name) => path.join(folder, name));
    for (const one of made) rmSync(one, { recursive: true, force: true, maxRetries: 5 });
  });
  makeFiles('infra/secrets/make.sh', path.join(folder, 'secrets'));
  if (hasTls) makeFiles('infra/certificates/make.sh', path.join(folder, 'certificates'));
  const built = await inNamespaces('build-images.ts', folder, { hasOwnNetwork: false, hasTls });
  return built === 0 ? inNamespaces('run-images.ts', folder, { hasOwnNetwork: true, hasTls }) : built;
}

/** Makes secrets or certificates in a folder, as an operator does. */
function makeFiles(script: string, folder: string): void {
  const made = spawnSync('sh', [path.resolve(import.meta.dirname, '..', script), folder], { encoding: 'utf8' });
  if (made.status !== 0) fail(`${script} failed: ${made.stderr.trim()}`);
}

const { engine = hasDocker() ? 'docker' : 'buildah', storage, tls = false } = options;
if (engine === 'docker' && tls) fail('--tls is for a run without Docker: add --engine buildah.');
process.exitCode = await (engine === 'docker' ? runWithDocker() : withBuildah(storage, tls));
