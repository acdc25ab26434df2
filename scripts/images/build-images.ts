import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { baseImageOf, makeBaseImage } from './base-image.ts';
import { Buildah } from './buildah.ts';
import { runCommandLine } from './command.ts';
import { readComposeFile } from './compose-file.ts';
import { readHandover, writeHandover } from './handover.ts';

/** The first half of `npm run images` without Docker: builds every image of docker-compose.yml. */
const root = path.resolve(import.meta.dirname, '../..');
const { folder, hasTls } = readHandover();

/** The images that docker-compose.yml builds, with the service that the Dockerfile gets as its argument. */
function imagesToBuild(): ReadonlyMap<string, string> {
  const built = Object.values(readComposeFile(root).services).flatMap(({ build, image }) =>
    build === undefined ? [] : [[image, build] as const],
  );
  for (const [, { dockerfile }] of built) {
    if (dockerfile !== DOCKERFILE) throw new Error(`${dockerfile}: only ${DOCKERFILE} is built here`);
  }
  return new Map(built.map(([image, build]) => [image, build.args.SERVICE]));
}

const DOCKERFILE = 'infra/Dockerfile';

/** Chooses overlay if this kernel can mount one on this disk, since vfs copies every layer as a whole. */
async function chooseDriver(): Promise<string> {
  const trial = path.join(folder, 'trial');
  const at = (name: string): string => path.join(trial, name);
  for (const name of ['lower', 'upper', 'work', 'merged']) mkdirSync(at(name), { recursive: true });
  const layers = `lowerdir=${at('lower')},upperdir=${at('upper')},workdir=${at('work')}`;
  const { code } = await runCommandLine(['mount', '-t', 'overlay', 'overlay', '-o', layers, at('merged')]);
  if (code === 0) await runCommandLine(['umount', at('merged')]);
  rmSync(trial, { recursive: true, force: true });
  return code === 0 ? 'overlay' : 'vfs';
}

/** The certificates that this machine trusts, for npm in a build. The images get empty files instead. */
function trustedCertificates(): readonly string[] {
  const file = process.env['NODE_EXTRA_CA_CERTS'] ?? '';
  if (file === '' || !existsSync(file)) return [];
  const npmrc = path.join(folder, 'npmrc');
  const certificates = path.join(folder, 'certificates.pem');
  writeFileSync(certificates, readFileSync(file));
  writeFileSync(npmrc, 'cafile=/run/certificates.pem\n');
  return ['--volume', `${npmrc}:/root/.npmrc:ro`, '--volume', `${certificates}:/run/certificates.pem:ro`];
}

const seconds = (sinceMs: number): number => (performance.now() - sinceMs) / 1000;
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const driver = await chooseDriver();
const buildah = new Buildah({ folder, driver });
const base = baseImageOf(readFileSync(path.join(root, DOCKERFILE), 'utf8'));
const handover = { folder, hasTls, driver, base: `docker.io/library/${base}`, baseSeconds: 0, buildSeconds: {} };
if (!(await buildah.has(handover.base))) {
  say(`${base} of Debian packages (mmdebstrap), on ${driver} …`);
  const begunMs = performance.now();
  await makeBaseImage(buildah, base, folder);
  handover.baseSeconds = seconds(begunMs);
}
const buildSeconds: Record<string, number> = {};
for (const [image, service] of imagesToBuild()) {
  say(`${image} …`);
  const begunMs = performance.now();
  await buildah.run(
    ...['build', '--isolation', 'chroot', '--layers', '--pull=never', '--format', 'docker'],
    ...trustedCertificates(),
    ...['--build-arg', `SERVICE=${service}`, '--file', path.join(root, DOCKERFILE), '--tag', image, root],
  );
  buildSeconds[image] = seconds(begunMs);
}
writeHandover({ ...handover, buildSeconds });
