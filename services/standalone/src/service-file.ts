import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@paper/embedded-postgres';
import type { StoredAccount } from './stored-accounts.ts';

/** What DATA_DIR/service.json tells scripts, tests and bots about the running service. */
export interface ServiceFile {
  readonly baseUrl: string;
  readonly operatorToken: string;
  readonly metricsUrl: string;
  readonly pid: number;
  /** Null with DEMO=off. */
  readonly demo: StoredAccount | null;
}

/** Says that the service is ready, to its owner only. The answer takes the file away. */
export function publishService(dataDir: string, service: ServiceFile): () => void {
  const file = join(dataDir, 'service.json');
  writePrivateFile(file, `${JSON.stringify(service, null, 2)}\n`);
  return () => rmSync(file, { force: true });
}

/** A file that a killed process left would send scripts to nobody, or to somebody else. */
export function forgetService(dataDir: string): void {
  rmSync(join(dataDir, 'service.json'), { force: true });
}
