import { mkdirSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Buildah } from './buildah.ts';
import { runCommandLine, startCommand } from './command.ts';
import type { RunningCommand } from './command.ts';
import { inStartOrder, replicasOf } from './compose-file.ts';
import type { ComposedService } from './compose-file.ts';
import { Container, exitCodeOf, rightsOf } from './container.ts';
import type { Rights } from './container.ts';
import type { Host } from './private-network.ts';
import { standInFor } from './stand-ins.ts';

/** A process of the set. */
export interface StartedProcess {
  readonly service: string;
  readonly host: Host;
  readonly running: RunningCommand;
  /** From its start until its health command succeeded. */
  readonly startSeconds: number;
  /** Of our images alone. */
  readonly rights: Rights | null;
}

/** A process that was asked to end. */
export interface StoppedProcess {
  readonly service: string;
  readonly seconds: number;
  readonly code: number | null;
}

export interface ComposedSetOptions {
  readonly buildah: Buildah;
  readonly root: string;
  /** The folder of data and volumes. */
  readonly folder: string;
  readonly services: Readonly<Record<string, ComposedService>>;
  /** By service; each process has a host. */
  readonly hosts: ReadonlyMap<string, readonly Host[]>;
  readonly hostsFile: string;
  readonly say: (line: string) => void;
}

/** A process that was started. */
interface Begun {
  readonly atMs: number;
  readonly running: RunningCommand;
}

const START_LIMIT_MS = 120_000;

/** The services of docker-compose.yml: our images in containers, and programs of this machine in place of the others. */
export class ComposedSet {
  readonly #containers = new Map<string, Container>();
  readonly #started: StartedProcess[] = [];

  constructor(private readonly options: ComposedSetOptions) {}

  get started(): readonly StartedProcess[] {
    return this.#started;
  }

  /** Starts every service after those that it depends on, as far as their conditions say. */
  async start(): Promise<void> {
    for (const name of inStartOrder(this.options.services)) {
      const service = this.#service(name);
      if (service.profiles !== undefined) continue;
      this.options.say(`${name} × ${replicasOf(service)} …`);
      if (service.healthcheck?.disable === true) await this.runTask(name);
      else for (const host of this.#hostsOf(name)) this.#started.push(await this.#startOne(name, service, host));
    }
  }

  /** Runs a service that ends, such as `roles`; gives its standard output. @throws Error where it fails. */
  async runTask(name: string): Promise<string> {
    const service = this.#service(name);
    const host = this.#firstHostOf(name);
    const container = await this.containerOf(service.image);
    const words = container.commandLine(host, service, service.command ?? container.config.Cmd);
    const ended = await runCommandLine(words, { env: container.env });
    const code = exitCodeOf(ended);
    if (code !== 0) throw new Error(`${name} ended with ${code ?? 'a signal'}:\n${ended.output}`);
    return ended.stdout;
  }

  /** The one container of an image of ours. */
  async containerOf(image: string): Promise<Container> {
    const { buildah, folder, hostsFile } = this.options;
    const found = this.#containers.get(image);
    if (found !== undefined) return found;
    const volumesIn = path.join(folder, 'volumes');
    const made = await Container.create({ buildah, image, volumesIn, hostsFile });
    this.#containers.set(image, made);
    return made;
  }

  /** Runs the health command of a service, once, beside its process. */
  async isHealthy(name: string, host: Host): Promise<boolean> {
    const service = this.#service(name);
    const container = service.build === undefined ? null : await this.containerOf(service.image);
    const [kind, ...program] = service.healthcheck?.test ?? container?.config.Healthcheck?.Test ?? [];
    if (kind !== 'CMD') throw new Error(`${name} has no health command: ${kind ?? 'nothing'}`);
    if (container === null) return (await runCommandLine([...host.prefix, ...program])).code === 0;
    const ended = await runCommandLine(container.commandLine(host, service, program), { env: container.env });
    return exitCodeOf(ended) === 0;
  }

  /** Lets this machine reach a published port, as `ports` says. Gives the address. */
  async publish(name: string): Promise<string> {
    const host = this.#firstHostOf(name);
    const [address = '', outer = '', inner = ''] = this.#service(name).ports?.[0]?.split(':') ?? [];
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
    return `http://localhost:${outer}`;
  }

  /** Sends SIGTERM to every process, the last started first. */
  async stop(): Promise<readonly StoppedProcess[]> {
    const stopped: StoppedProcess[] = [];
    for (const { host, running, service } of this.#started.toReversed()) {
      const begunMs = performance.now();
      const [pid] = host.pidsOf(this.#programOf(service));
      if (pid !== undefined) process.kill(pid, 'SIGTERM');
      const ended = await running.ended;
      const code = this.#service(service).build === undefined ? ended.code : exitCodeOf(ended);
      stopped.push({ service, code, seconds: (performance.now() - begunMs) / 1000 });
    }
    return stopped;
  }

  async #startOne(name: string, service: ComposedService, host: Host): Promise<StartedProcess> {
    const isOurs = service.build !== undefined;
    if (isOurs && (await this.isHealthy(name, host))) throw new Error(`${name} is healthy before it runs`);
    const begun = await (isOurs ? this.#startOurs(service, host) : this.#startStandIn(name, service, host));
    // A health command is a process of its own, which would take its part of the processor from the one that starts.
    const isUp = isOurs ? () => this.#answers(service, host) : () => this.isHealthy(name, host);
    const startSeconds = await this.#secondsUntil(name, isUp, begun);
    if (isOurs && !(await this.isHealthy(name, host))) throw new Error(`${name} answers, and is not healthy`);
    const [pid] = host.pidsOf(this.#programOf(name));
    if (pid === undefined) throw new Error(`${name} is healthy, and has no process`);
    return { service: name, host, running: begun.running, startSeconds, rights: isOurs ? rightsOf(pid) : null };
  }

  async #startOurs(service: ComposedService, host: Host): Promise<Begun> {
    const container = await this.containerOf(service.image);
    const words = container.commandLine(host, service, service.command ?? container.config.Cmd);
    return { atMs: performance.now(), running: startCommand(words, { env: container.env }) };
  }

  async #startStandIn(name: string, service: ComposedService, host: Host): Promise<Begun> {
    const folder = path.join(this.options.folder, name);
    mkdirSync(folder, { recursive: true });
    const { hostsFile, root } = this.options;
    const words = await standInFor(service.image).prepare(service, { folder, host, hostsFile, root });
    const env = { PATH: process.env['PATH'], ...service.environment };
    return { atMs: performance.now(), running: startCommand([...host.prefix, ...words], { env, cwd: folder }) };
  }

  async #secondsUntil(name: string, isUp: () => Promise<boolean>, { atMs, running }: Begun): Promise<number> {
    while (!(await isUp())) {
      const { exitCode, signalCode } = running.child;
      if (exitCode !== null || signalCode !== null) throw new Error(`${name} ended:\n${running.output()}`);
      if (performance.now() - atMs > START_LIMIT_MS) throw new Error(`${name} is not up:\n${running.output()}`);
      await sleep(50);
    }
    return (performance.now() - atMs) / 1000;
  }

  /** Whether a process of ours answers at the address that its health command asks, from another host. */
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
