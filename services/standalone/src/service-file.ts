import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '@paper/runtime';
import type { StoredAccount } from './stored-accounts.ts';

/** Content of DATA_DIR/service.json: what scripts, tests and bots need of the running service. */
export interface ServiceFile {
  readonly baseUrl: string;
  /** The portal's address for people: sign-in works there alone. */
  readonly publicUrl: string;
  readonly operatorToken: string;
  readonly metricsUrl: string;
  readonly pid: number;
  /** Null with DEMO=off, and at a first start until its account is open. */
  readonly demo: StoredAccount | null;
}

/**
 * Writes the file that says where the service is, readable by its owner only. The returned function removes it.
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
