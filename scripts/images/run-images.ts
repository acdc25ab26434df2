import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseOperatorTokens } from '@paper/http';
import type { OperatorToken } from '@paper/http';
import { untilServing } from '@paper/supervisor';
import { Buildah } from './buildah.ts';
import { runOrThrow } from './command.ts';
import { completedVariables, composeFileWith, readComposeFile, replicasOf, WITH_TLS } from './compose-file.ts';
import type { ComposedService } from './compose-file.ts';
import { ComposedSet } from './composed-set.ts';
import { readHandover } from './handover.ts';
import { loseLeader } from './lost-node.ts';
import { PrivateNetwork } from './private-network.ts';
import type { Host } from './private-network.ts';
import { printReport } from './report.ts';
import { standInFor } from './stand-ins.ts';
import { tradeThrough } from './trade.ts';

/** The second half of `npm run images` without Docker: starts the set, trades, and loses and restores the database. */
const root = path.resolve(import.meta.dirname, '../..');
const handover = readHandover();
/** Made by infra/secrets/make.sh. */
const secrets = path.join(handover.folder, 'secrets');
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const files = handover.hasTls ? WITH_TLS : undefined;
const variables = {
  ...completedVariables(root, () => randomBytes(32).toString('hex'), files),
  SECRETS_DIR: secrets,
  ...(handover.hasTls ? { PUBLIC_URL: 'https://localhost:4443' } : {}),
};

/** The services that can run here, and the names of those that cannot. */
async function servicesHere() {
  const services: Record<string, ComposedService> = {};
  const absent: string[] = [];
  const versions = new Map<string, string>();
  for (const [name, service] of Object.entries(composeFileWith(root, variables, files).services)) {
    const version = service.build === undefined ? await standInFor(service.image).version() : '';
    if (version === null) absent.push(name);
    else services[name] = service;
    if (version) versions.set(service.image, version);
  }
  return { services: withoutAbsent(services, absent), absent, versions };
}

/** Leaves out the absent services: as dependencies, and in each setting whose URL names one. */
function withoutAbsent(services: Readonly<Record<string, ComposedService>>, absent: readonly string[]) {
  const isLeft = (value: string): boolean => !absent.some((name) => value.includes(`//${name}:`));
  return Object.fromEntries(
    Object.entries(services).map(([name, service]) => {
      const environment = Object.entries(service.environment ?? {}).filter(([, value]) => isLeft(value));
      const dependsOn = Object.entries(service.depends_on ?? {}).filter(([other]) => !absent.includes(other));
      const left = { environment: Object.fromEntries(environment), depends_on: Object.fromEntries(dependsOn) };
      return [name, { ...service, ...left }];
    }),
  );
}

async function addHosts(services: Readonly<Record<string, ComposedService>>, hostsFile: string) {
  const network = await PrivateNetwork.create();
  const hosts = new Map<string, readonly Host[]>();
  for (const [name, service] of Object.entries(services)) {
    const own: Host[] = [];
    for (let number = 0; number < replicasOf(service); number += 1) own.push(await network.addHost(name));
    hosts.set(name, own);
  }
  const lines = [...hosts.values()].flat().map(({ address, name }) => `${address} ${name}\n`);
  writeFileSync(hostsFile, `127.0.0.1 localhost\n${lines.join('')}`);
  // The servers that replace images, such as the nodes of a cluster, refer to each other by name too.
  await runOrThrow(['mount', '--bind', hostsFile, '/etc/hosts']);
  return hosts;
}

/** The operator whose token infra/secrets/make.sh has made. */
function firstOperator(): OperatorToken {
  const [first] = parseOperatorTokens(readFileSync(path.join(secrets, 'operator-tokens'), 'utf8').trim());
  if (first === undefined) throw new Error('no operator has a token');
  return first;
}

function loseANode() {
  say('The loss of a node …');
  const isNode = ({ image }: ComposedService): boolean => image.startsWith('eventstore/');
  const nodes = Object.keys(services).flatMap((name): [string, Host][] => {
    const [host] = hosts.get(name) ?? [];
    return host !== undefined && services[name] !== undefined && isNode(services[name]) ? [[name, host]] : [];
  });
  const caFile = placeOf('./certificates/ca.crt');
  return loseLeader({ set, baseUrl, operatorToken: operator.token, nodes: new Map(nodes), caFile });
}

/** The services that read the replaced secrets. */
const READERS = ['command-api', 'projector', 'query-api', 'stream-gateway', 'portal', 'backtests', 'mcp'];

/** Replaces the roles' passwords, mcp's secret and an operator's token, and restarts their readers. Returns the new token. */
async function rotateSecrets(name: string): Promise<string> {
  await set.runTask('rotate', ['passwords']);
  await set.runTask('rotate', ['mcp-secret']);
  const token = await set.runTask('rotate', ['tokens', name]);
  for (const reader of READERS) await set.restart(reader);
  return token.trim();
}

const { absent, services, versions } = await servicesHere();
const folder = path.join(handover.folder, 'set');
mkdirSync(folder, { recursive: true });
const hostsFile = path.join(folder, 'hosts');
const hosts = await addHosts(services, hostsFile);
const buildah = new Buildah(handover);
/** The certificates and secrets are the run's own; everything else is in the repository. */
const placeOf = (source: string): string =>
  path.resolve(source.startsWith('./certificates/') ? handover.folder : root, source);
const set = new ComposedSet({ buildah, placeOf, folder, services, hosts, hostsFile, say });
await set.start();
const baseUrl = handover.hasTls
  ? `https://${await set.publish('front-door', '4443')}`
  : `http://${await set.publish('front-door', '4000')}`;
const operator = firstOperator();
await untilServing(baseUrl, operator.token);
say('An order …');
const traded = await tradeThrough(baseUrl, operator.token);
say('A backup …');
const backup = await set.runTask('backup');
const lostNode = handover.hasTls ? await loseANode() : null;
say('New secrets …');
const newToken = await rotateSecrets(operator.name);
await tradeThrough(baseUrl, newToken, 'after-the-rotation');
const healthy = await Promise.all(
  set.started.map(async ({ host, service }) => ({ service, ok: await set.isHealthy(service, host) })),
);
const readOnly = new Map<string, boolean>();
const sizes = new Map<string, string>();
for (const image of Object.keys(handover.buildSeconds)) {
  readOnly.set(image, await (await set.containerOf(image)).isReadOnly());
  sizes.set(image, await buildah.sizeOf(image));
}
sizes.set(handover.base, await buildah.sizeOf(handover.base));
const started = [...set.started];
say('A lost database …');
const stoppedBefore = await set.stop();
set.erase('postgres');
await set.startFor('restore');
const restored = await set.runTask('restore');
await set.start();
await untilServing(baseUrl, newToken);
await tradeThrough(baseUrl, newToken, 'after-the-restore');
say('Stopping …');
const stopped = [...stoppedBefore, ...(await set.stop())];
const isGood = printReport({
  absent,
  backup,
  composed: readComposeFile(root, files),
  handover,
  healthy,
  lostNode,
  readOnly,
  restored,
  services,
  sizes,
  started,
  stopped,
  traded,
  versions,
});
// Ends whatever runs in the namespaces of this process.
process.exit(isGood ? 0 : 1);
