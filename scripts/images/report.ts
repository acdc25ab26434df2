import { printTable } from '@paper/bench';
import { replicasOf } from './compose-file.ts';
import type { ComposedService, ComposeFile } from './compose-file.ts';
import type { StartedProcess, StoppedProcess } from './composed-set.ts';
import type { Handover } from './handover.ts';
import type { LostNode } from './lost-node.ts';
import type { Traded } from './trade.ts';

export interface Findings {
  /** Services that nothing on this machine can run. */
  readonly absent: readonly string[];
  readonly backup: string;
  readonly composed: ComposeFile;
  readonly handover: Handover;
  readonly healthy: readonly { readonly service: string; readonly ok: boolean }[];
  /** Null without TLS. */
  readonly lostNode: LostNode | null;
  /** Whether each image ran on a read-only file system. */
  readonly readOnly: ReadonlyMap<string, boolean>;
  readonly restored: string;
  readonly services: Readonly<Record<string, ComposedService>>;
  /** The size of each image, such as `345 MB`. */
  readonly sizes: ReadonlyMap<string, string>;
  readonly started: readonly StartedProcess[];
  readonly stopped: readonly StoppedProcess[];
  readonly traded: Traded;
  /** Versions of the programs that stand in for images, by image. */
  readonly versions: ReadonlyMap<string, string>;
}

/** The expected user of our images. */
const USER_ID = 1000;

/** The most MB that our layers may add to the base. */
const LAYERS_MB_MAX = 100;

/** Fields of a service in docker-compose.yml that a run without Docker follows. */
const TRIED = new Set([
  ...['build', 'cap_drop', 'command', 'depends_on', 'deploy', 'entrypoint', 'environment', 'healthcheck', 'image'],
  ...['ports', 'profiles', 'read_only', 'secrets', 'security_opt', 'stop_grace_period', 'tmpfs', 'volumes'],
]);

/** Prints the findings; returns whether they are free of faults. */
export function printReport(findings: Findings): boolean {
  const { handover, sizes, traded, versions } = findings;
  printImages(findings);
  console.log('');
  const built = Object.values(handover.buildSeconds).reduce((sum, one) => sum + one, handover.baseSeconds);
  const base = handover.baseSeconds === 0 ? 'was there' : `${handover.baseSeconds.toFixed(0)} s`;
  console.log(
    `Built in ${built.toFixed(0)} s on ${handover.driver}; the base of ${sizes.get(handover.base)}: ${base}.`,
  );
  for (const [image, version] of versions) console.log(`In place of ${image}: ${version}`);
  console.log(`An order through the front door was filled in ${traded.orderMs.toFixed(0)} ms.`);
  console.log(`Behind it answered ${traded.answered.join(', ')}.`);
  console.log(`${findings.backup.split('\n')[0]}`);
  printLoss(findings.lostNode);
  console.log('Passwords of roles and a token were replaced; with the new ones an order was filled.');
  console.log(`Postgres was lost; then an order was filled. ${findings.restored.split('\n')[0]}`);
  console.log(untried(findings));
  const faults = faultsOf(findings);
  for (const fault of faults) console.log(`FAULT ${fault}`);
  return faults.length === 0;
}

function printLoss(lost: LostNode | null): void {
  if (lost === null) return;
  console.log(
    `TLS at the front door and to EventStoreDB. ${lost.name}, which led the cluster, was killed: an order was filled again ` +
      `${lost.orderAfterSeconds.toFixed(1)} s later, and it came back as ${lost.stateAfterwards}. The two others said:`,
  );
  console.log(lost.audit);
}

function printImages(findings: Findings): void {
  const { handover, services, sizes, started, stopped } = findings;
  const row = printTable(['image', 'as'], ['size', 'ours', 'built s', 'processes', 'start s', 'stop s']);
  for (const [image, buildSeconds] of Object.entries(handover.buildSeconds)) {
    const names = Object.keys(services).filter((name) => services[name]?.image === image);
    const own = started.filter(({ service }) => names.includes(service));
    const ended = stopped.filter(({ service }) => names.includes(service));
    const range = (seconds: readonly number[]): string =>
      seconds.length === 0 ? '' : `${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)}`;
    row(
      ...[image, own[0]?.rights === null || own[0] === undefined ? '' : `uid ${own[0].rights.uid}`],
      ...[sizes.get(image) ?? '', `${layersAbove(findings, image).toFixed(0)} MB`, buildSeconds.toFixed(0), own.length],
      ...[range(own.map(({ startSeconds }) => startSeconds)), range(ended.map(({ seconds }) => seconds))],
    );
  }
}

/** Lists what such a run cannot test. */
function untried({ absent, services }: Findings): string {
  const fields = new Set(Object.values(services).flatMap((service) => Object.keys(service)));
  const left = [...fields].filter((field) => !TRIED.has(field)).sort();
  const ofOthers =
    'for the images of others: everything but their command, environment, mounted files, ports, health and restart';
  const networks = 'networks (each process has a network namespace on one bridge without a way out)';
  const names = left.map((field) => (field === 'networks' ? networks : field));
  const away = absent.map((name) => `${name} (no program of it is here)`);
  return `Untried: ${[...away, ...names, ofOthers].join(', ')}.`;
}

/** A size such as `345 MB` in MB. */
function megabytes(size = ''): number {
  return Number.parseFloat(size) * (size.endsWith('GB') ? 1_000 : 1);
}

function layersAbove({ handover, sizes }: Findings, image: string): number {
  return megabytes(sizes.get(image)) - megabytes(sizes.get(handover.base));
}

function faultsOf(findings: Findings): readonly string[] {
  const { composed, handover, healthy, readOnly, services, started, stopped } = findings;
  const graceOf = (name: string): number => Number.parseInt(services[name]?.stop_grace_period ?? '10', 10);
  return [
    ...Object.keys(handover.buildSeconds).flatMap((image) => {
      const ours = layersAbove(findings, image);
      return ours <= LAYERS_MB_MAX ? [] : [`${image}: ${ours.toFixed(0)} MB above its base, not ${LAYERS_MB_MAX}`];
    }),
    ...healthy.filter(({ ok }) => !ok).map(({ service }) => `${service} is not healthy after the trade`),
    ...[...readOnly].filter(([, is]) => !is).map(([image]) => `${image}: its file system can be written`),
    ...started.flatMap(({ rights, service }) => {
      if (rights === null) return [];
      const asDeclared = composed.services[service]?.cap_drop?.includes('ALL') !== true || rights.hasNoCapabilities;
      return [
        ...(rights.uid === USER_ID ? [] : [`${service} runs as uid ${rights.uid}`]),
        ...(asDeclared ? [] : [`${service} has capabilities`]),
        ...(rights.getsNoNewPrivileges ? [] : [`${service} can get new privileges`]),
      ];
    }),
    ...stopped.flatMap(({ code, seconds, service }) => [
      ...(services[service]?.build === undefined || code === 0 ? [] : [`${service} ended with ${code}`]),
      ...(seconds <= graceOf(service) ? [] : [`${service} needed ${seconds.toFixed(1)} s to end`]),
    ]),
    ...Object.entries(services)
      .filter(
        ([name, service]) =>
          service.profiles === undefined &&
          service.healthcheck?.disable !== true &&
          started.filter(({ service: one }) => one === name).length !== replicasOf(service),
      )
      .map(([name]) => `not every ${name} was started`),
  ];
}
