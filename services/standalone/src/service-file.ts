import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@paper/runtime';
import type { StandaloneConfig } from './config.ts';
import type { Persist } from './persistence.ts';
import { storedAccount } from './stored-accounts.ts';
import type { StoredAccount } from './stored-accounts.ts';

/** The content of DATA_DIR/service.json: what scripts, tests and bots need to know of the running service. */
export interface ServiceFile {
  readonly baseUrl: string;
  /** The portal's address for people; sign-in works only there. */
  readonly publicUrl: string;
  readonly operatorToken: string;
  readonly metricsUrl: string;
  readonly pid: number;
  /** Null with DEMO=off, and at a slow first start until the demo's account is open. */
  readonly demo: StoredAccount | null;
}

/** Writes the private file that says that the service is ready. The returned function removes it. */
export function publishService(dataDir: string, service: ServiceFile): () => void {
  const file = join(dataDir, 'service.json');
  writePrivateFile(file, `${JSON.stringify(service, null, 2)}\n`);
  return () => rmSync(file, { force: true });
}

export function forgetService(dataDir: string): void {
  rmSync(join(dataDir, 'service.json'), { force: true });
}

/** The longest time until the file is written, since reading a long journal takes minutes. */
const PUBLISHED_WITHIN_MS = 3_000;
/** The limit for a first start, which opens the demo's account. */
const FIRST_WITHIN_MS = 10_000;

/** The file of a service that is starting. No client is answered before it exists, so a full disk delays all answers. */
export class ServicePublication {
  readonly published: Promise<void>;
  /** Whether this start has to open the demo's account. */
  readonly isFirst: boolean;
  #resolve: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The newest content; null after `forget`. */
  #service: ServiceFile | null = null;

  constructor(
    private readonly config: Pick<StandaloneConfig, 'DATA_DIR' | 'DEMO'>,
    private readonly persist: Persist,
  ) {
    this.published = new Promise((resolve) => (this.#resolve = resolve));
    this.isFirst = config.DEMO && this.storedDemo === null;
  }

  /** Writes the file after some seconds, whether or not the start has come to its end. */
  begin(service: Omit<ServiceFile, 'demo'>, onError: (error: unknown) => void): void {
    const publish = (): void => void this.publish({ ...service, demo: this.storedDemo }).catch(onError);
    this.#timer = setTimeout(publish, this.isFirst ? FIRST_WITHIN_MS : PUBLISHED_WITHIN_MS);
  }

  /** Writes the file, again and again while the disk is full. */
  async publish(service: ServiceFile): Promise<void> {
    clearTimeout(this.#timer);
    this.#service = service;
    // The newest content is written, since a later call may have replaced this one while it waited.
    await this.persist(() => Promise.resolve().then(() => this.#write()));
    this.#resolve();
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#service = null;
    forgetService(this.config.DATA_DIR);
  }

  #write(): void {
    if (this.#service !== null) publishService(this.config.DATA_DIR, this.#service);
  }

  get storedDemo(): StoredAccount | null {
    return this.config.DEMO ? storedAccount(this.config.DATA_DIR, 'demo') : null;
  }
}
