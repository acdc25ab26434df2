import type { RequestListener } from 'node:http';
import { startServer } from '@paper/http';
import type { ReadinessCheck, RunningServer } from '@paper/http';
import type { ServiceProcess } from '@paper/runtime';
import type { StandaloneConfig } from './config.ts';
import type { MountedServices } from './mounted-services.ts';
import { publishService } from './service-file.ts';
import type { ServiceFile } from './service-file.ts';
import { storedAccount } from './stored-accounts.ts';
import type { StoredAccount } from './stored-accounts.ts';

/** By then clients are answered, if only with what is missing: a first start lists the demo before. */
const OPEN_WITHIN_MS = 3_000;
const FIRST_OPEN_WITHIN_MS = 10_000;

export interface ClientServerParts {
  readonly config: StandaloneConfig;
  readonly listener: RequestListener;
  readonly checks: readonly ReadinessCheck[];
  readonly mounted: MountedServices;
  readonly operatorToken: string;
  readonly metricsUrl: string;
  readonly running: ServiceProcess;
}

/**
 * The port of clients. It opens when the service can serve, or some seconds after this was made, and DATA_DIR/service.json
 * is there before the first answer leaves: whoever gets one finds the operator's token and the demo's key.
 */
export class ClientServer {
  /** Whether service.json needs an account that this start has to open. */
  readonly #isFirst: boolean;
  readonly #latest: NodeJS.Timeout;
  #server: RunningServer | null = null;
  #opening: Promise<ServiceFile> | null = null;

  constructor(private readonly parts: ClientServerParts) {
    this.#isFirst = parts.config.DEMO && this.#demo() === null;
    const open = (): void => {
      // The start awaits the same promise, and fails with it.
      this.#open().catch(() => undefined);
    };
    this.#latest = setTimeout(open, this.#isFirst ? FIRST_OPEN_WITHIN_MS : OPEN_WITHIN_MS);
  }

  /** The service can serve. At a first start the port stays closed until the demo is set up. */
  async serves(): Promise<void> {
    if (!this.#isFirst) this.parts.mounted.start((await this.#open()).baseUrl);
  }

  /** Opens the port if it is not yet open. Gives what service.json says, with the demo's account. */
  async ready(demo: StoredAccount | null): Promise<ServiceFile> {
    const service = { ...(await this.#open()), demo };
    if (this.#isFirst) this.parts.mounted.start(service.baseUrl);
    publishService(this.parts.config.DATA_DIR, service);
    return service;
  }

  /** Takes no more connections, and cuts those that are open after the grace. */
  async close(graceMs: number): Promise<void> {
    clearTimeout(this.#latest);
    await this.#server?.close(graceMs);
  }

  /** The demo's account as it is stored so far. */
  #demo(): StoredAccount | null {
    const { DATA_DIR, DEMO } = this.parts.config;
    return DEMO ? storedAccount(DATA_DIR, 'demo') : null;
  }

  #open(): Promise<ServiceFile> {
    return (this.#opening ??= this.#listen());
  }

  async #listen(): Promise<ServiceFile> {
    const { checks, config, listener, metricsUrl, operatorToken, running } = this.parts;
    clearTimeout(this.#latest);
    const { metrics, teardown } = running;
    const options = { host: config.HOST, port: config.PORT, connectionsMax: config.CONNECTIONS_MAX, metrics, checks };
    this.#server = await startServer(listener, options);
    // Nothing is awaited from here to service.json: no connection is accepted before it is there.
    const baseUrl = reachable(this.#server.url);
    const publicUrl = config.PUBLIC_URL ?? `http://localhost:${this.#server.port}`;
    const service = { baseUrl, publicUrl, operatorToken, metricsUrl, pid: process.pid, demo: this.#demo() };
    const forget = publishService(config.DATA_DIR, service);
    await teardown.add('service.json', forget);
    return service;
  }
}

/** The address for clients on this machine, also where the server listens on every address. */
export function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
