import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRetryLog } from '@paper/runtime';
import type { Logger } from '@paper/runtime';
import { inTime } from '@paper/timing';
import { startFrontDoor } from '../front-door.ts';
import type { Certificate } from '../certificate.ts';
import type { FrontDoor, FrontDoorOptions, FrontDoorTls } from '../front-door.ts';
import { superviseProcess } from '../keep-running.ts';
import type { SupervisedProcess, ProcessEvent } from '../keep-running.ts';
import { SERVICE_NAMES } from '../service-names.ts';
import type { ServiceCounts, ServiceName } from '../service-names.ts';
import { startServiceProcess } from '../service-process.ts';
import type { Program, ServiceProcess } from '../service-process.ts';
import { hasSettled, statusOf } from './service-status.ts';
import type { ServiceStatus } from './service-status.ts';

const FRONT_DOOR = 'front-door';
/** A restart takes longer only if a server that the service needs is unreachable. */
const READY_MS = 30_000;

interface SupervisedService {
  readonly service: ServiceName;
  readonly number: number;
  readonly process: SupervisedProcess<ServiceProcess>;
}

type DoorAddress = Required<Omit<FrontDoorOptions, 'metricsPort'>>;

/** The services and their front door, each kept running. */
export class ServiceSet {
  readonly #kept: SupervisedService[] = [];
  #door: SupervisedProcess<FrontDoor> | null = null;

  /** `envOf`: a service's additional variables. `builtIn`: the folder of compiled services; default: their source. */
  constructor(
    private readonly envOf: (name: ServiceName) => Readonly<Record<string, string>>,
    private readonly logger: Logger,
    private readonly builtIn?: string,
  ) {}

  /** Starts these numbers of processes, and resolves when all listen. Rejects when one fails to start. */
  async start(counts: ServiceCounts): Promise<void> {
    const all = SERVICE_NAMES.flatMap((name) =>
      Array.from({ length: counts[name] }, (_, index) => [name, index] as const),
    );
    const started = await Promise.allSettled(all.map(([name, index]) => this.#startOne(name, index + 1)));
    const failed = started.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** Returns the base URL without TLS. `folder` is for the front door's files. */
  async open(at: DoorAddress): Promise<string> {
    const services = this.processes();
    this.#door = await superviseProcess({
      start: () => startFrontDoor(services, at),
      restart: (first) => startFrontDoor(services, { ...at, ...addressesOf(first, at.tls) }),
      onEvent: this.#logEvent(FRONT_DOOR),
    });
    return this.#door.first.url;
  }

  /** Each service as it was first started. Its restarts keep the addresses. */
  processes(): readonly ServiceProcess[] {
    return this.#inOrder().map(({ process }) => process.first);
  }

  get frontDoorMetricsUrl(): string | null {
    return this.#door?.first.metricsUrl ?? null;
  }

  /** The names for operators, e.g. `command-api-1`, `front-door`. */
  names(): readonly string[] {
    return [...this.#inOrder().map(nameOf), ...(this.#door === null ? [] : [FRONT_DOOR])];
  }

  async status(): Promise<readonly ServiceStatus[]> {
    return Promise.all(this.names().map((name) => this.#statusOf(name)));
  }

  /**
   * Restarts one process, waits for at most `longestMs` until it is ready or stands by, and returns its status then. A
   * process that waits for a server goes on starting afterwards. @throws the error of the start.
   */
  async restart(name: string, longestMs = READY_MS): Promise<ServiceStatus> {
    const untilMs = performance.now() + longestMs;
    await inTime(this.#find(name).restart(), longestMs, () => undefined);
    for (;;) {
      const status = await this.#statusOf(name);
      if (hasSettled(status) || performance.now() > untilMs) return status;
      await sleep(50);
    }
  }

  /** Makes the front door read its certificate's file again. @throws Error when it is down, or cannot serve it. */
  async replaceCertificate(): Promise<Certificate> {
    const door = this.#door?.status().running;
    // A front door that is starting reads the file by itself.
    if (door === null || door === undefined) throw new Error('The front door is being started: try again.');
    return door.replaceCertificate();
  }

  /**
   * Stops the services, first those that are clients of others. The front door stops last, since the last answers of the
   * command APIs leave through it. Meanwhile it refuses new requests with an error of the API.
   */
  async stop(): Promise<void> {
    for (const names of [
      ['portal', 'mcp', 'backtests'],
      ['command-api'],
      ['query-api', 'stream-gateway'],
      ['projector'],
    ]) {
      const these = this.#kept.filter(({ service }) => names.includes(service));
      await Promise.all(these.map(({ process }) => process.stop()));
    }
    await this.#door?.stop();
  }

  async #startOne(name: ServiceName, number: number): Promise<void> {
    const onLog = (chunk: Buffer): void => void process.stderr.write(chunk);
    const options = { onLog, ...(this.builtIn === undefined ? {} : { program: builtProgram(this.builtIn, name) }) };
    const kept = await superviseProcess({
      start: () => startServiceProcess(name, this.envOf(name), options),
      // The service restarts at its former address, which the front door and Prometheus know.
      restart: (first, signal) =>
        startServiceProcess(name, { ...this.envOf(name), ...portsOf(first) }, { ...options, signal }),
      onEvent: this.#logEvent(nameOf({ service: name, number })),
    });
    this.#kept.push({ service: name, number, process: kept });
  }

  #inOrder(): readonly SupervisedService[] {
    return SERVICE_NAMES.flatMap((service) =>
      this.#kept.filter((one) => one.service === service).sort((a, b) => a.number - b.number),
    );
  }

  #find(name: string): SupervisedProcess<ServiceProcess> | SupervisedProcess<FrontDoor> {
    const found = name === FRONT_DOOR ? this.#door : this.#kept.find((one) => nameOf(one) === name)?.process;
    if (found === undefined || found === null) throw new Error(`no service is called ${name}`);
    return found;
  }

  #statusOf(name: string): Promise<ServiceStatus> {
    return statusOf(name, this.#find(name));
  }

  #logEvent(service: string): (event: ProcessEvent) => void {
    const retries = createRetryLog(this.logger);
    const failed = `${service} could not be started; it is tried again`;
    return (event) => {
      if (event.kind === 'ended') {
        this.logger.warn({ service, ...event }, 'the service ended; it is being restarted');
      } else if (event.kind === 'failed') {
        retries.failed(failed, event.error, { service });
      } else {
        retries.works(failed);
        this.logger.warn({ service }, 'the service runs again');
      }
    };
  }
}

const nameOf = ({ service, number }: Pick<SupervisedService, 'service' | 'number'>): string => `${service}-${number}`;

/** The ports of the first front door, which a restart keeps even if the first had chosen free ones. */
function addressesOf({ metricsUrl, tlsUrl, url }: FrontDoor, tls: FrontDoorTls | null) {
  const portIn = (address: string): number => Number(new URL(address).port);
  const ports = { port: portIn(url), metricsPort: portIn(metricsUrl) };
  return { ...ports, tls: tls === null || tlsUrl === null ? null : { ...tls, port: portIn(tlsUrl) } };
}

const portsOf = ({ url, operationUrl }: ServiceProcess): Record<string, string> => ({
  METRICS_PORT: new URL(operationUrl).port,
  ...(url === null ? {} : { PORT: new URL(url).port }),
});

const builtProgram = (folder: string, name: ServiceName): Program => ({
  args: ['--enable-source-maps', path.join(folder, `services/${name}/src/main.js`)],
  cwd: process.cwd(),
});
