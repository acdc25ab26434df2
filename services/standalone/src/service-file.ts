import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@paper/runtime';
import type { StandaloneConfig } from './config.ts';
import { storedAccount } from './stored-accounts.ts';
import type { StoredAccount } from './stored-accounts.ts';

/** Content of DATA_DIR/service.json: what scripts, tests and bots need of the running service. */
export interface ServiceFile {
  readonly baseUrl: string;
  /** The portal's address for people: sign-in works there alone. */
  readonly publicUrl: string;
  readonly operatorToken: string;
  readonly metricsUrl: string;
  readonly pid: number;
  /** Null with DEMO=off, and at a first start that takes long until its account is open. */
  readonly demo: StoredAccount | null;
}

/**
 * Writes the file that says that the service is ready, readable by its owner only. The returned function removes it.
 */
export function publishService(dataDir: string, service: ServiceFile): () => void {
  const file = join(dataDir, 'service.json');
  writePrivateFile(file, `${JSON.stringify(service, null, 2)}\n`);
  return () => rmSync(file, { force: true });
}

/** Removes the file that a killed process left, which would send scripts to a wrong address. */
export function forgetService(dataDir: string): void {
  rmSync(join(dataDir, 'service.json'), { force: true });
}

/** By then clients are answered, if only with what is missing: reading a long journal takes minutes. */
const PUBLISHED_WITHIN_MS = 3_000;
/** The same at a first start, which opens the demo's account. */
const FIRST_WITHIN_MS = 10_000;

/** The file of a service that is starting. No client is answered before it is there. */
export class ServicePublication {
  /** Resolves when the file is there. */
  readonly published: Promise<void>;
  /** Whether this start has to open the demo's account. */
  readonly isFirst: boolean;
  #resolve: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly config: Pick<StandaloneConfig, 'DATA_DIR' | 'DEMO'>) {
    this.published = new Promise((resolve) => (this.#resolve = resolve));
    this.isFirst = config.DEMO && this.storedDemo === null;
  }

  /** Writes the file some seconds from now, unless that is done before. */
  begin(service: Omit<ServiceFile, 'demo'>): void {
    const publish = (): void => this.publish({ ...service, demo: this.storedDemo });
    this.#timer = setTimeout(publish, this.isFirst ? FIRST_WITHIN_MS : PUBLISHED_WITHIN_MS);
  }

  /** Writes the file; a later call writes it anew. */
  publish(service: ServiceFile): void {
    clearTimeout(this.#timer);
    publishService(this.config.DATA_DIR, service);
    this.#resolve();
  }

  /** Removes the file. */
  forget(): void {
    clearTimeout(this.#timer);
    forgetService(this.config.DATA_DIR);
  }

  /** The demo's account as it is stored so far. */
  get storedDemo(): StoredAccount | null {
    return this.config.DEMO ? storedAccount(this.config.DATA_DIR, 'demo') : null;
  }
}
