import { appendFileSync, chownSync, copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { runOrThrow } from './command.ts';
import type { Buildah } from './buildah.ts';

/** The user of the official images of Node. */
const NODE_ID = 1000;
/** The npm of Node 24. */
const NPM = 'npm@11';

/** The image that a Dockerfile builds on, such as `node:24.18.0-bookworm-slim`: its argument BASE. */
export function baseImageOf(dockerfile: string): string {
  const parsed = DockerfileParser.parse(dockerfile);
  const stages = new Set(parsed.getFROMs().map((from) => from.getBuildStage()));
  const bases = parsed.getFROMs().flatMap((from) => (stages.has(from.getImage()) ? [] : [from.getImage()]));
  const base = parsed.getInitialARGs().find((argument) => argument.getProperty()?.getName() === 'BASE');
  const value = base?.getProperty()?.getValue();
  if (typeof value === 'string' && bases.every((image) => image === '${BASE}')) return value;
  throw new Error(`every stage has to be on \${BASE} or on another stage: ${bases.join(', ')}`);
}

/** The versions in the name of a base image. @throws Error unless it is Node on a slim Debian. */
export function partsOf(base: string): { readonly node: string; readonly debian: string } {
  const [, node, debian] = /^node:(\d+\.\d+\.\d+)-([a-z]+)-slim$/.exec(base) ?? [];
  if (node === undefined || debian === undefined) throw new Error(`${base} is not node:VERSION-DEBIAN-slim`);
  return { node, debian };
}

/**
 * Builds an image in place of the official one, which needs Docker's registry, with its name: Debian's essential
 * packages by mmdebstrap, node and npm from the npm registry, and the user `node`.
 */
export async function makeBaseImage(buildah: Buildah, base: string, folder: string): Promise<void> {
  const { debian, node } = partsOf(base);
  const container = await buildah.run('from', 'scratch');
  const root = await buildah.run('mount', container);
  await runOrThrow(['mmdebstrap', '--quiet', '--variant=essential', '--include=libstdc++6', debian, root]);
  const local = path.join(root, 'usr/local');
  await runOrThrow(['npm', 'install', '--silent', '--global', '--prefix', local, NPM]);
  const name = `node-linux-${process.arch}`;
  const npmFolder = path.join(folder, 'node');
  mkdirSync(npmFolder, { recursive: true });
  await runOrThrow(['npm', 'install', '--silent', '--no-save', '--prefix', npmFolder, `${name}@${node}`]);
  copyFileSync(path.join(npmFolder, 'node_modules', name, 'bin/node'), path.join(local, 'bin/node'));
  appendFileSync(path.join(root, 'etc/passwd'), `node:x:${NODE_ID}:${NODE_ID}::/home/node:/bin/sh\n`);
  appendFileSync(path.join(root, 'etc/group'), `node:x:${NODE_ID}:\n`);
  const home = path.join(root, 'home/node');
  mkdirSync(home, { recursive: true });
  chownSync(home, NODE_ID, NODE_ID);
  await buildah.run('umount', container);
  const search = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  await buildah.run('config', '--env', `PATH=${search}`, '--cmd', 'node', container);
  await buildah.run('commit', '--quiet', '--rm', '--format', 'docker', container, `docker.io/library/${base}`);
}
