import { mkdirSync, rmSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Buildah } from './buildah.ts';
import { runCommandLine, startCommand } from './command.ts';
import type { RunningCommand } from './command.ts';
import { inStartOrder, programOf, replicasOf } from './compose-file.ts';
import type { ComposedService } from './compose-file.ts';
import { Container, exitCodeOf, rightsOf } from './container.ts';
import type { Rights } from './container.ts';
import { mountedFiles, withFilesIn } from './mounted-files.ts';
import type { Host } from './private-network.ts';
import { standInFor } from './stand-ins.ts';

export interface StartedProcess {
  readonly service: string;
  readonly host: Host;
  readonly running: RunningCommand;
  /** Until its health command succeeded. */
  readonly startSeconds: number;
  /** The rights of the process; null for third-party images. */
  readonly rights: Rights | null;
}

export interface StoppedProcess {
  readonly service: string;
  readonly seconds: number;
  readonly code: number | null;
}

export interface ComposedSetOptions {
  readonly buildah: Buildah;
  /** Maps a mounted file or folder, such as `./infra/front-door/errors`, to its path on this machine. */
  readonly placeOf: (source: string) => string;
  /** The folder of data and volumes. */
  readonly folder: string;
  readonly services: Readonly<Record<string, ComposedService>>;
  /** The hosts of each service, one for each of its processes. */
  readonly hosts: ReadonlyMap<string, readonly Host[]>;
  readonly hostsFile: string;
  readonly say: (line: string) => void;
}

interface Begun {
  readonly atMs: number;
  readonly running: RunningCommand;
}

const START_LIMIT_MS = 120_000;

const hasEnded = ({ child }: RunningCommand): boolean => child.exitCode !== null || child.signalCode !== null;

/** The services of Compose's files: our images in containers, and programs of this machine for the others. */
export class ComposedSet {
  readonly #containers = new Map<string, Container>();
  readonly #standIns = new Map<string, ComposedService>();
  readonly #started: StartedProcess[] = [];

  constructor(private readonly options: ComposedSetOptions) {}

  get started(): readonly StartedProcess[] {
    return this.#started;
  }

  /** Starts every service that is not running yet, after its dependencies and by their conditions. */
  async start(): Promise<void> {
    const names = inStartOrder(this.options.services).filter((name) => this.#service(name).profiles === undefined);
    const isEngine = (name: string): boolean => {
      const { build, depends_on: others = {} } = this.#service(name);
      return build === undefined && Object.keys(others).length === 0;
    };
    // All at the same time, as with Compose: a node of a cluster is healthy only once others are there.
    await Promise.all(names.filter(isEngine).map((name) => this.#startAll(name)));
    for (const name of names.filter((one) => !isEngine(one))) await this.#startAll(name);
  }

  async startFor(task: string): Promise<void> {
    await Promise.all(Object.keys(this.#service(task).depends_on ?? {}).map((name) => this.#startAll(name)));
  }

  async #startAll(name: string): Promise<void> {
    const service = this.#service(name);
    if (this.#started.some((one) => one.service === name)) return;
    this.options.say(`${name} × ${replicasOf(service)} …`);
    if (service.healthcheck?.disable === true) await this.runTask(name);
    else for (const host of this.#hostsOf(name)) this.#started.push(await this.#startOne(name, service, host));
  }

  /** Kills the processes of a third-party service with SIGKILL, and resolves when they have ended. */
  async kill(name: string): Promise<void> {
    for (const { host, running } of this.#started.filter(({ service }) => service === name)) {
      for (const pid of host.pidsOf(this.#programOf(name))) process.kill(pid, 'SIGKILL');
      await running.ended;
    }
  }

  /** Starts the ended processes of a service again, with their data. */
  async startAgain(name: string): Promise<void> {
    const service = this.#service(name);
    for (const [nth, { host, running, service: its }] of this.#started.entries()) {
      if (its !== name || !hasEnded(running)) continue;
      this.#started[nth] = await this.#startOne(name, service, host);
    }
  }

  /** Ends the processes of one of our services and starts them again, one after the other. */
  async restart(name: string): Promise<void> {
    const service = this.#service(name);
    for (const [nth, one] of this.#started.entries()) {
      if (one.service !== name) continue;
      await this.#stopOne(one);
      this.#started[nth] = await this.#startOne(name, service, one.host);
    }
  }

  /** Removes all data of a third-party service, which must not be running. */
  erase(name: string): void {
    rmSync(this.#folderOf(name), { recursive: true });
    this.#standIns.delete(name);
  }

  /** Runs a service that ends by itself, such as `roles`; returns its standard output. @throws Error when it fails */
  async runTask(name: string, command = this.#service(name).command): Promise<string> {
    const service = { ...this.#service(name), ...(command === undefined ? {} : { command }) };
    const host = this.#firstHostOf(name);
    const container = await this.containerOf(service.image);
    const words = container.commandLine(host, service, programOf(service, container.config.Cmd));
    const ended = await runCommandLine(words, { env: container.env });
    const code = exitCodeOf(ended);
    if (code !== 0) throw new Error(`${name} ended with ${code ?? 'a signal'}:\n${ended.output}`);
    return ended.stdout;
  }

  /** The single container of one of our images. */
  async containerOf(image: string): Promise<Container> {
    const { buildah, folder, hostsFile, placeOf, services } = this.options;
    const found = this.#containers.get(image);
    if (found !== undefined) return found;
    const volumesIn = path.join(folder, 'volumes');
    const uses = Object.values(services).filter((service) => service.image === image);
    const mounts = uses.flatMap(mountedFiles);
    const made = await Container.create({ buildah, image, volumesIn, hostsFile, placeOf, mounts });
    this.#containers.set(image, made);
    return made;
  }

  /** Runs the health command of a service once, beside its process. */
  async isHealthy(name: string, host: Host): Promise<boolean> {
    const service = this.#service(name);
    const container = service.build === undefined ? null : await this.containerOf(service.image);
    const healthcheck = container === null ? this.#standInOf(name, service).healthcheck : service.healthcheck;
    const [kind, ...program] = healthcheck?.test ?? container?.config.Healthcheck?.Test ?? [];
    if (kind !== 'CMD') throw new Error(`${name} has no health command: ${kind ?? 'nothing'}`);
    if (container === null) return (await runCommandLine([...host.prefix, ...program])).code === 0;
    return exitCodeOf(await container.run(container.commandLine(host, service, program))) === 0;
  }

  /** Makes a published port reachable from this machine, and returns it with its host. */
  async publish(name: string, inner: string): Promise<string> {
    const host = this.#firstHostOf(name);
    const published = this.#service(name).ports?.find((port) => port.endsWith(`:${inner}`)) ?? '';
    const [outer = '', address = '0.0.0.0'] = published.split(':').slice(0, -1).toReversed();
    const server = createServer((client) => {
      const service = connect(Number(inner), host.address);
      client.pipe(service).pipe(client);
      client.on('error', () => service.destroy());
      service.on('error', () => client.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(Number(outer), address, resolve);
    });
    server.unref();
    return `localhost:${outer}`;
  }

  /** Sends SIGTERM to every process, the last started first. */
  async stop(): Promise<readonly StoppedProcess[]> {
    const stopped: StoppedProcess[] = [];
    for (const one of this.#started.toReversed()) stopped.push(await this.#stopOne(one));
    this.#started.length = 0;
    return stopped;
  }

  async #stopOne({ host, running, service }: StartedProcess): Promise<StoppedProcess> {
    const begunMs = performance.now();
    const [pid] = host.pidsOf(this.#programOf(service));
    if (pid !== undefined) process.kill(pid, 'SIGTERM');
    const ended = await running.ended;
    const code = this.#service(service).build === undefined ? ended.code : exitCodeOf(ended);
    return { service, code, seconds: (performance.now() - begunMs) / 1000 };
  }

  async #startOne(name: string, service: ComposedService, host: Host): Promise<StartedProcess> {
    const isOurs = service.build !== undefined;
    if (isOurs && (await this.isHealthy(name, host))) throw new Error(`${name} is healthy before it runs`);
    const begin = () => (isOurs ? this.#startOurs(service, host) : this.#startStandIn(name, service, host));
    // A health command is a process too, and would take CPU time from the starting one.
    const isUp = isOurs ? () => this.#answers(service, host) : () => this.isHealthy(name, host);
    const mayEnd = !isOurs && service.restart === 'unless-stopped';
    const { running, startSeconds } = await this.#untilUp(name, isUp, begin, mayEnd);
    if (isOurs && !(await this.isHealthy(name, host))) {
      throw new Error(`${name} answers, and is not healthy:\n${running.output()}`);
    }
    const [pid] = host.pidsOf(this.#programOf(name));
    if (pid === undefined) throw new Error(`${name} is healthy, and has no process`);
    return { service: name, host, running, startSeconds, rights: isOurs ? rightsOf(pid) : null };
  }

  async #startOurs(service: ComposedService, host: Host): Promise<Begun> {
    const container = await this.containerOf(service.image);
    const words = container.commandLine(host, service, programOf(service, container.config.Cmd));
    return { atMs: performance.now(), running: startCommand(words, { env: container.env }) };
  }

  async #startStandIn(name: string, service: ComposedService, host: Host): Promise<Begun> {
    const folder = this.#folderOf(name);
    mkdirSync(folder, { recursive: true });
    const standIn = this.#standInOf(name, service);
    const { hostsFile } = this.options;
    const words = await standInFor(service.image).prepare(standIn, { folder, host, hostsFile });
    const env = { PATH: process.env['PATH'], ...standIn.environment };
    return { atMs: performance.now(), running: startCommand([...host.prefix, ...words], { env, cwd: folder }) };
  }

  /** A third-party service, with the files that it mounts in its folder. */
  #standInOf(name: string, service: ComposedService): ComposedService {
    const found = this.#standIns.get(name);
    if (found !== undefined) return found;
    const made = withFilesIn(service, this.#folderOf(name), this.options.placeOf);
    this.#standIns.set(name, made);
    return made;
  }

  #folderOf(name: string): string {
    return path.join(this.options.folder, name);
  }

  /** Waits until a process is up. With `mayEnd` it may end and is started again: a node that led before the others came. */
  async #untilUp(name: string, isUp: () => Promise<boolean>, begin: () => Promise<Begun>, mayEnd: boolean) {
    let { atMs, running } = await begin();
    const begunMs = atMs;
    while (!(await isUp())) {
      if (performance.now() - begunMs > START_LIMIT_MS) throw new Error(`${name} is not up:\n${running.output()}`);
      if (hasEnded(running)) {
        if (!mayEnd) throw new Error(`${name} ended:\n${running.output()}`);
        this.options.say(`${name} ended, and is started again …`);
        ({ atMs, running } = await begin());
      }
      await sleep(50);
    }
    return { running, startSeconds: (performance.now() - atMs) / 1000 };
  }

  /** Whether one of our processes answers another host at the address of its health command. */
  async #answers({ image }: ComposedService, host: Host): Promise<boolean> {
    const { config } = await this.containerOf(image);
    const port = config.Env.find((one) => one.startsWith('METRICS_PORT='))?.split('=')[1] ?? '';
    const answer = await fetch(`http://${host.address}:${port}/health/live`).catch(() => null);
    return answer?.ok === true;
  }

  #programOf(name: string): string {
    const { build, image } = this.#service(name);
    return build === undefined ? standInFor(image).program : '/node';
  }

  #service(name: string): ComposedService {
    const found = this.options.services[name];
    if (found === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
    return found;
  }

  #firstHostOf(name: string): Host {
    const [host] = this.#hostsOf(name);
    if (host === undefined) throw new Error(`${name} has no host`);
    return host;
  }

  #hostsOf(name: string): readonly Host[] {
    return this.options.hosts.get(name) ?? [];
  }
}
